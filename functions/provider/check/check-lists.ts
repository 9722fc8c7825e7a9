import { isProviderError } from '../../domain/errors.ts';
import type { Rail } from '../../domain/payout/payout.ts';
import type { DisbursementPage } from '../../ports/provider.ts';
import { otherRecord } from '../../ports/provider.ts';
import type { Finding, Judgment } from './finding.ts';
import { good, note, wrong } from './finding.ts';
import type { ProviderToCheck } from './provider-to-check.ts';
import { ask } from './provider-to-check.ts';

/** The consequence of having no list. */
export const noLists = 'Follow asks about each payout in each sweep, at one request each.';
const noUse = 'Follow asks about each payout, at one request each.';

const judgeSize = (wanted: number, size: number, { disbursements, unreadable }: DisbursementPage) => {
  const shown = disbursements.length + unreadable;
  if (shown > wanted) return wrong(`${shown} records, asked for ${wanted}`, 'The page size is ignored.');
  if (size < wanted) return good(`${size}, as answered`);
  return good(shown === wanted ? `${wanted}` : `${wanted} taken; the list is shorter`);
};

/**
 * Checks that a rail has a list, and that the list accepts the configured page size. One request at most, and a few more when the
 * adapter looks for a setting that helps. It uses the order in which Follow reads first: last changed first.
 */
export const checkListOf = async (checked: ProviderToCheck, rail: Rail) => {
  const { provider } = checked;
  const list = `${rail} list`;
  const wanted = provider.pageSize(rail);
  if (wanted === 0) return { page: undefined, finding: { what: list, ...note('not asked: there is none', noLists) } };
  let page: DisbursementPage | undefined;
  const query = { rail, order: 'changed', page: 1 } as const;
  const finding = await ask(checked, { about: 'list', query }, `${list}: page size`, async () => {
    try {
      page = await provider.listDisbursements(query);
    } catch (error) {
      // The adapter learned from this answer that there is no list.
      if (isProviderError(error) && provider.pageSize(rail) === 0) return note('none', noLists);
      throw error;
    }
    return judgeSize(wanted, provider.pageSize(rail), page);
  });
  return { page, finding: provider.pageSize(rail) === 0 ? { ...finding, what: list } : finding };
};

const judgeRecords = ({ disbursements, unreadable }: DisbursementPage): Judgment => {
  const shown = disbursements.length + unreadable;
  if (shown === 0) return note('no records to judge by');
  if (unreadable === 0) return good('as documented');
  return wrong(`${unreadable} of ${shown} are not as documented`, 'A person must resolve their payouts.');
};

const judgeOrder = ({ disbursements }: DisbursementPage): Judgment => {
  const times = disbursements.flatMap(({ updatedAt }) => (updatedAt === undefined ? [] : [Date.parse(updatedAt)]));
  if (times.length < 2) return note('too few records to judge by');
  const isLatestFirst = times.every((time, index) => time <= (times[index - 1] ?? time));
  return isLatestFirst ? good('as asked') : note('not as asked', noUse);
};

/** The oddity of a list filtered by one status. Undefined when there is none. */
const findOddity = async ({ provider }: ProviderToCheck, rail: Rail, status: string): Promise<string | undefined> => {
  try {
    const { disbursements } = await provider.listDisbursements({ rail, order: 'created', status, page: 1 });
    const hasOthers = disbursements.some(({ providerStatus }) => providerStatus.toLowerCase() !== status.toLowerCase());
    return hasOthers ? `${status}: others too` : undefined;
  } catch (error) {
    if (isProviderError(error)) return `${status}: ${error.message}`;
    throw error;
  }
};

const checkStatuses = (checked: ProviderToCheck, rail: Rail): Promise<Finding> =>
  ask(checked, { about: 'habit' }, `${rail} list: filter by status`, async () => {
    const words = (['open', 'ended'] as const).flatMap((kind) => checked.provider.statusLists(rail, kind));
    if (words.length === 0) return note('none');
    const odd: string[] = [];
    for (const word of words) {
      const oddity = await findOddity(checked, rail, word);
      if (oddity !== undefined) odd.push(oddity);
    }
    return odd.length === 0 ? good(words.join(', ')) : note(odd.join('; '), noUse);
  });

const swapCase = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()));

/** Checks whether a lookup ignores the letter case of references. Two rows that differ only in case are refused either way. */
const checkLetterCase = (checked: ProviderToCheck, rail: Rail, { disbursements }: DisbursementPage): Promise<Finding> =>
  ask(checked, { about: 'habit' }, `${rail} lookup: letter case`, async () => {
    const reference = disbursements.map((one) => one.reference ?? '').find((one) => swapCase(one) !== one);
    if (reference === undefined) return note('no record to judge by');
    const answer = await checked.provider.lookUp(rail, swapCase(reference));
    switch (answer.kind) {
      case 'absent':
        return good('distinguishes references');
      case 'found':
        return wrong('matches in another case', 'The adapter must return references as they were sent.');
      case 'unknown':
        return answer.cause === otherRecord
          ? good('is ignored; the adapter distinguishes them')
          : note(`proves nothing: ${answer.cause}`);
    }
  });

/** Checks a rail's lists: page size, readable records, order, filter by status. Also checks the letter case of references. */
export const checkLists = async (checked: ProviderToCheck, rail: Rail): Promise<readonly Finding[]> => {
  const { page, finding } = await checkListOf(checked, rail);
  if (page === undefined) return [finding];
  return [
    finding,
    { what: `${rail} list: records`, ...judgeRecords(page) },
    { what: `${rail} list: order`, ...judgeOrder(page) },
    await checkStatuses(checked, rail),
    await checkLetterCase(checked, rail, page),
  ];
};
