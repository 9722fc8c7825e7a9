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
    /**
     * @param file push its content after adding it
     * @param at its modification time
     */
    add: <File extends ZipDeflate | ZipPassThrough>(file: File, at: Date | string): File => {
      file.mtime = at;
      zip.add(file);
      return file;
    },
    /** Returns the bytes written since the last call. */
    take: (): readonly Uint8Array[] => {
      const taken = written;
      written = [];
      return taken;
    },
    end: (): void => zip.end(),
  };
};
