import { FileAltered, FileGone } from '../../domain/errors.ts';
import type { Problem } from '../http/problem.ts';
import { problem } from '../http/problem.ts';

/** The problem of a request that needs a chunk file which was changed or deleted. Rethrows any other error. */
export const chunkFileProblem = (error: unknown, about: Problem['about']): Problem<'file_altered' | 'file_gone'> => {
  if (error instanceof FileAltered) return problem('file_altered', about);
  if (error instanceof FileGone) return problem('file_gone', about);
  throw error;
};
