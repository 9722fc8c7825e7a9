import type { ZipDeflate, ZipPassThrough } from 'fflate';
import { Zip } from 'fflate';

/** A ZIP that is passed on while it is written. Taking its bytes from time to time keeps it from filling the memory. */
export const streamedZip = () => {
  let written: Uint8Array[] = [];
  const zip = new Zip((error, bytes) => {
    if (error !== null) throw error;
    written.push(bytes);
  });
  return {
    /** @param file push its content after adding it */
    add: (file: ZipDeflate | ZipPassThrough): void => zip.add(file),
    /** Returns the bytes written since the last call. */
    take: (): readonly Uint8Array[] => {
      const taken = written;
      written = [];
      return taken;
    },
    end: (): void => zip.end(),
  };
};
