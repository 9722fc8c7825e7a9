import type { ZipDeflate, ZipPassThrough } from 'fflate';
import { Zip } from 'fflate';

/** A ZIP that is handed on while it is written: what was added to it is taken from time to time, so it is never whole in memory. */
export const streamedZip = () => {
  let written: Uint8Array[] = [];
  const zip = new Zip((error, bytes) => {
    if (error !== null) throw error;
    written.push(bytes);
  });
  return {
    /** @param file whose content is pushed after it was added */
    add: (file: ZipDeflate | ZipPassThrough): void => zip.add(file),
    /** The bytes since the last taking. */
    take: (): readonly Uint8Array[] => {
      const taken = written;
      written = [];
      return taken;
    },
    end: (): void => zip.end(),
  };
};
