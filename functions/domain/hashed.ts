import type { Hash } from 'node:crypto';

/** Passes on bytes, and adds them to a hash. */
export async function* hashed<Bytes extends Uint8Array>(all: AsyncIterable<Bytes>, hash: Hash): AsyncGenerator<Bytes> {
  for await (const bytes of all) {
    hash.update(bytes);
    yield bytes;
  }
}
