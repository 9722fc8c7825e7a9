import type { PageRequest } from '../../domain/lists/page.ts';
import { sequenceWindow } from '../../domain/lists/page.ts';
import type { Pause } from '../table.ts';
import { conflictAttempts, conflictPause } from '../table.ts';

/** The records of a page, and how many there are on all pages. */
interface ReadPage<Doc> {
  readonly docs: readonly Doc[];
  readonly total: number;
}

/**
 * Reads a page again until it is what it says. Its counts, its members and their records are read one after the other, and
 * what changes meanwhile may leave the list.
 *
 * @param fits whether a record belongs in the list
 * @throws Error when something changes during each reading
 */
export const readWholePage = async <Doc>(
  { pause, random }: { readonly pause: Pause; readonly random: () => number },
  request: PageRequest,
  fits: (doc: Doc) => boolean,
  read: () => Promise<ReadPage<Doc>>,
): Promise<ReadPage<Doc>> => {
  for (let tried = 0; tried < conflictAttempts; tried += 1) {
    const page = await read();
    const { first, last } = sequenceWindow(request, page.total, false);
    if (page.docs.length === Math.max(0, last - first + 1) && page.docs.every(fits)) return page;
    await pause(conflictPause(tried, random));
  }
  throw new Error('the list changed during each reading of a page');
};
