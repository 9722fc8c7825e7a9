import { hash } from 'node:crypto';
import type { ChunkRecord } from '../../domain/batch/chunk.ts';
import { isChunkOpen } from '../../domain/batch/progress.ts';

/**
 * A short text that stays equal while nothing changes in the records of open and of contradicted chunks. Without the contradicted
 * ones, a retry file would stay refused for a contradiction in a chunk that has ended.
 */
export const fingerprintOf = (records: Iterable<ChunkRecord>): string => {
  const watched = [...records].filter((one) => isChunkOpen(one) || one.contradictions.recorded > 0);
  const versions = watched.map(({ chunk, version }) => `${chunk}:${version}`).toSorted();
  return hash('sha256', versions.join(' '), 'base64url');
};
