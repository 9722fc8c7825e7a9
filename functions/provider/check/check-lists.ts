import type { Rail } from '../../domain/payout.ts';
import type { PaymentServiceClient } from '../client/payment-service-client.ts';
import { statusLists } from '../disbursement-records.ts';
import { isLacking } from '../refusal.ts';
import type { ServiceAnswer } from '../service-answer.ts';
import type { Finding } from './finding.ts';
import { failed, good, note, refusesCredentials, tellAnswer, wrong } from './finding.ts';

/** What the check reads of a record of either rail. */
interface Listed {
  readonly disbursementId: string;
  readonly reference?: string | undefined;
  readonly status: string;
  readonly createdAt?: string | undefined;
}

interface Page {
  readonly docs: readonly (Listed | null)[];
  readonly limit?: number | undefined;
  readonly page: number;
}

interface Query {
  readonly limit: number;
  readonly sort?: string;
  readonly status?: string;
}

type List = (query: Query) => Promise<ServiceAnswer<Page>>;

/** Page sizes that are tried once the wanted one is refused; the last is the document's own. */
const smallerPages = [50, 25, 20, 10] as const;

const checkPageSize = async (
  what: string,
  list: List,
  wanted: number,
  answer: ServiceAnswer<Page>,
): Promise<Finding> => {
  if (answer.kind === 'succeeded') {
    const { limit = wanted, docs } = answer.data;
    const size = Math.max(1, limit);
    if (docs.length > wanted)
      return wrong(what, `${docs.length} records, asked for ${wanted}`, 'The page size is ignored.');
    if (size < wanted) return good(what, `${size}, as answered`);
    return good(what, docs.length === wanted ? `${wanted}` : `${wanted} taken; the list is shorter`);
  }
  if (answer.kind !== 'refused' || answer.statusCode !== 400) return failed(what, answer);
  for (const limit of smallerPages.filter((size) => size < wanted)) {
    if ((await list({ limit })).kind === 'succeeded')
      return wrong(what, `${wanted}: ${tellAnswer(answer)}`, `Set provider.traits.pageLimit to ${limit}.`);
  }
  return failed(what, answer);
};

const checkOrder = async (what: string, list: List): Promise<Finding> => {
  const answer = await list({ limit: 10, sort: '-createdAt' });
  if (answer.kind !== 'succeeded') return failed(what, answer);
  const times = answer.data.docs.flatMap((record) => (record?.createdAt === undefined ? [] : [record.createdAt]));
  if (times.length < 2) return note(what, 'too few records to tell');
  const isNewestFirst = times.every((time, index) => Date.parse(time) <= Date.parse(times[index - 1] ?? time));
  if (isNewestFirst) return good(what, 'as asked');
  return note(what, 'not as asked', 'Follow asks about each payout, which costs a request each.');
};

const checkStatuses = async (what: string, list: List, rail: Rail): Promise<Finding> => {
  const words = [...statusLists(rail, 'open'), ...statusLists(rail, 'ended')];
  const odd: string[] = [];
  for (const status of words) {
    const answer = await list({ limit: 10, status });
    if (answer.kind === 'refused' && refusesCredentials(answer)) return failed(what, answer);
    if (answer.kind !== 'succeeded') odd.push(`${status}: ${tellAnswer(answer)}`);
    else if (answer.data.docs.some((record) => record !== null && record.status.toLowerCase() !== status))
      odd.push(`${status}: others too`);
  }
  return odd.length === 0
    ? good(what, words.join(', '))
    : note(what, odd.join('; '), 'Follow asks about each payout, which costs a request each.');
};

const swapCase = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()));

/** Whether a look-up takes a reference in another letter case for the same. Two such rows are refused in any case. */
const checkLetterCase = async (
  what: string,
  list: List,
  find: (reference: string) => Promise<ServiceAnswer<Listed>>,
): Promise<Finding> => {
  const page = await list({ limit: 10 });
  const docs = page.kind === 'succeeded' ? page.data.docs : [];
  const reference = docs.map((record) => record?.reference ?? '').find((one) => swapCase(one) !== one);
  if (reference === undefined) return note(what, 'no record to tell by');
  const answer = await find(swapCase(reference));
  if (answer.kind === 'refused' && answer.statusCode === 404) return good(what, 'tells references apart');
  if (answer.kind !== 'succeeded') return note(what, tellAnswer(answer));
  return good(what, answer.data.reference === reference ? 'is ignored' : 'shows another record');
};

const checkRecords = async (what: string, list: List): Promise<Finding> => {
  const answer = await list({ limit: 10 });
  if (answer.kind !== 'succeeded') return failed(what, answer);
  const { docs } = answer.data;
  const unreadable = docs.filter((record) => record === null).length;
  if (docs.length === 0) return note(what, 'none to tell by');
  if (unreadable === 0) return good(what, 'as documented');
  return wrong(what, `${unreadable} of ${docs.length} are not as documented`, 'Their payouts rest with a person.');
};

const noLists = 'Follow asks about each payout in each sweep, which costs a request each.';

const listOf =
  (client: PaymentServiceClient, rail: Rail): List =>
  (query) =>
    rail === 'fiat'
      ? client.fiatDisbursements.list({ page: 1, ...query })
      : client.cryptoDisbursements.list({ page: 1, ...query });

/** Whether a rail has a list, and whether that takes the page size that is set: one request, when it does. */
export const checkListOf = async (
  client: PaymentServiceClient,
  rail: Rail,
  wanted: number,
): Promise<{ readonly hasList: boolean; readonly finding: Finding }> => {
  const what = `${rail} list`;
  if (wanted === 0)
    return { hasList: false, finding: note(what, 'not asked: provider.traits.pageLimit is 0', noLists) };
  const list = listOf(client, rail);
  const answer = await list({ limit: wanted });
  if (answer.kind === 'succeeded' || !isLacking(answer))
    return { hasList: true, finding: await checkPageSize(`${what}: page size`, list, wanted, answer) };
  const follows = `${noLists} Set provider.traits.pageLimit to 0.`;
  return { hasList: false, finding: note(what, `none: ${tellAnswer(answer)}`, follows) };
};

/** How a provider lists what it made: page size, order, statuses, records and letter case, of both rails. */
export const checkLists = async (client: PaymentServiceClient, pageLimit: number): Promise<readonly Finding[]> => {
  const findings: Finding[] = [];
  for (const rail of ['fiat', 'crypto'] as const) {
    const { hasList, finding } = await checkListOf(client, rail, pageLimit);
    findings.push(finding);
    if (!hasList) continue;
    const list = listOf(client, rail);
    const find = (reference: string): Promise<ServiceAnswer<Listed>> =>
      rail === 'fiat' ? client.fiatDisbursements.find(reference) : client.cryptoDisbursements.find(reference);
    findings.push(
      await checkRecords(`${rail} list: records`, list),
      await checkOrder(`${rail} list: order`, list),
      await checkStatuses(`${rail} list: filter by status`, list, rail),
      await checkLetterCase(`${rail} look-up: letter case`, list, find),
    );
  }
  return findings;
};
