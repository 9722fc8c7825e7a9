import type { Needs } from '../ports/needs.ts';
import type { FileLink } from './schemas/file-links.ts';

export type LinkForDependencies = Needs<{ files: 'linkTo'; settings: 'fileLinkSeconds' }, 'clock'>;

/** A presigned link to a stored file, valid for at least `fileLinkSeconds`. */
export const linkFor = async (
  { files, settings: { fileLinkSeconds }, clock }: LinkForDependencies,
  key: string,
  downloadName: string,
): Promise<FileLink> => {
  // Computed before signing.
  const expiresAt = new Date(clock() + fileLinkSeconds * 1000).toISOString();
  return { url: await files.linkTo(key, fileLinkSeconds, downloadName), expiresAt };
};
