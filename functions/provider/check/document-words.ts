import { ProviderRefused, ProviderUnavailable } from '../../domain/errors.ts';
import { createPaymentServiceClient } from '../client/payment-service-client.ts';
import { paymentProviderOver } from '../payment-provider.ts';
import { causesThatStay, containsPhrase, isLacking, messageWithoutPersonalData, refusalsThatPass } from '../refusal.ts';
import type { ServiceAnswer } from '../service-answer.ts';
import type { ProviderTraits } from '../settings.ts';
import type { Transport } from '../transport/transport.ts';
import { ignoresReference } from './check-absence.ts';
import { noLists } from './check-lists.ts';
import type { Finding } from './finding.ts';
import { good, note, wrong } from './finding.ts';
import type { ProviderToCheck, Question } from './provider-to-check.ts';

type Unsuccessful = Exclude<ServiceAnswer<unknown>, { readonly kind: 'succeeded' }>;

/** An answer that was no success, in a few words. */
export const describeAnswer = (answer: Unsuccessful): string => {
  if (answer.kind !== 'refused') return answer.cause;
  const message = messageWithoutPersonalData(answer.message);
  return answer.isBare ? `${answer.statusCode} without a message` : `${answer.statusCode} "${message}"`;
};

const notBelow = 'Mend provider.baseUrl: the paths of the document are not below it.';

const advice: Readonly<Record<string, string>> = {
  credentials_unavailable: 'The secret is missing or malformed: functions/provider/SIGNING.md shows what it holds.',
  connection_failed:
    'Mend provider.baseUrl, or the network to it: the host has no address, refuses connections, or has a certificate that is not trusted.',
  timeout: 'Mend provider.baseUrl, or the network to it: nothing answers.',
  unreadable_response: 'Mend provider.baseUrl: what answers there speaks no HTTP.',
  no_such_route: notBelow,
  unreadable_body: 'Mend provider.baseUrl: what answers there is no payment service.',
  data_unreadable: 'The answer is not as the document shows it.',
};

export const refusesCredentials = (answer: ServiceAnswer<unknown>): boolean =>
  answer.kind === 'refused' && (answer.statusCode === 401 || answer.statusCode === 403);

/** What a person does about an unsuccessful answer to what should have worked. */
export const adviceOn = (answer: Unsuccessful): string | undefined => {
  if (answer.kind !== 'refused') return advice[answer.cause];
  if (refusesCredentials(answer))
    return 'Mend the secret, provider.signing, or provider.traits.headers and authorizationPrefix.';
  return answer.statusCode === 404 ? notBelow : undefined;
};

/** Whether an answer says nothing of the settings: it may be another one soon. */
const isPassing = (answer: Unsuccessful): boolean =>
  answer.kind === 'refused' ? refusalsThatPass.includes(answer.statusCode) : !causesThatStay.includes(answer.cause);

const failed = (what: string, answer: Unsuccessful): Finding => ({
  ...wrong(what, describeAnswer(answer), adviceOn(answer)),
  ...(isPassing(answer) && { isPassing: true }),
});

const explainLookUp = (what: string, answer: ServiceAnswer<unknown>, absent: readonly string[]): Finding => {
  if (answer.kind === 'succeeded') return wrong(what, 'answers with a record', ignoresReference);
  if (answer.kind !== 'refused' || refusesCredentials(answer) || isPassing(answer)) return failed(what, answer);
  const told = describeAnswer(answer);
  if (answer.statusCode !== 404)
    return wrong(what, told, 'Only a 404 proves absence: what is in doubt would rest with a person.');
  if (containsPhrase(absent, answer.message)) return good(what, told);
  const phrase = JSON.stringify([messageWithoutPersonalData(answer.message)]);
  return wrong(
    what,
    told,
    `If it says this of disbursements alone, set provider.traits.words.absent to ${phrase}, without what names the reference.`,
  );
};

const explainProof = (what: string, answer: Unsuccessful): Finding => {
  const told = describeAnswer(answer);
  if (answer.kind === 'unknown' && isLacking(answer))
    return note(what, told, 'It gives no proofs: set provider.traits.hasProofs to false.');
  if (answer.kind === 'refused' && (answer.statusCode === 404 || answer.statusCode === 400)) return good(what, told);
  return answer.kind === 'refused' && !refusesCredentials(answer)
    ? note(what, told, 'Proofs would not be archived.')
    : failed(what, answer);
};

/** Page sizes that are tried once the wanted one is refused; the last is the document's own. */
const smallerPages = [50, 25, 20, 10] as const;

interface Documented {
  readonly transport: Transport;
  readonly traits: ProviderTraits;
}

// The check tells by itself of what the adapter would log.
const adapterOver = ({ transport, traits }: Documented) =>
  paymentProviderOver(transport, { traits, log: { warn: () => {} } });

/**
 * Whether the provider answers a read, or refuses it.
 *
 * @throws ProviderUnavailable when it says neither: then nothing is known of what mends it
 */
const answers = async (read: Promise<unknown>): Promise<boolean> => {
  try {
    await read;
    return true;
  } catch (error) {
    if (error instanceof ProviderRefused) return false;
    throw error;
  }
};

const refusesOrder = 'The list refuses the order that Follow reads by.';

/** What mends a list that is refused: smaller pages, or no lists where the order is refused; undefined where neither does. */
const mendList = async (
  { transport, traits }: Documented,
  { query }: Extract<Question, { readonly of: 'list' }>,
): Promise<string | undefined> => {
  const withPages = (pageLimit: number) => adapterOver({ transport, traits: { ...traits, pageLimit } });
  for (const size of smallerPages.filter((smaller) => smaller < traits.pageLimit))
    if (await answers(withPages(size).listDisbursements(query))) return `Set provider.traits.pageLimit to ${size}.`;
  const client = createPaymentServiceClient(transport);
  const { list } = query.rail === 'fiat' ? client.fiatDisbursements : client.cryptoDisbursements;
  if ((await list({ page: 1, limit: Math.min(10, traits.pageLimit) })).kind !== 'succeeded') return undefined;
  // A crypto payout is also searched for by its reference, in an order and with lists or without.
  return query.rail === 'fiat' || (await answers(withPages(0).listByReference('check-order')))
    ? `${refusesOrder} Set provider.traits.pageLimit to 0: each payout is then asked about.`
    : `${refusesOrder} The search by reference needs one too: no setting mends it.`;
};

const unlessUnavailable = (error: unknown): undefined => {
  if (!(error instanceof ProviderUnavailable)) throw error;
};

const explainList = async (
  documented: Documented,
  { what }: Finding,
  answer: Unsuccessful,
  question: Extract<Question, { readonly of: 'list' }>,
): Promise<Finding> => {
  const told = describeAnswer(answer);
  if (isLacking(answer)) return note(what, `none: ${told}`, `${noLists} Set provider.traits.pageLimit to 0.`);
  if (answer.kind !== 'refused' || answer.statusCode !== 400) return failed(what, answer);
  const mend = await mendList(documented, question).catch(unlessUnavailable);
  return mend === undefined ? failed(what, answer) : wrong(what, `${documented.traits.pageLimit}: ${told}`, mend);
};

/** Remembers what was answered last, until it is taken. */
const listenTo = (transport: Transport) => {
  let last: ServiceAnswer<unknown> | undefined;
  const heard = async <T>(answering: Promise<ServiceAnswer<T>>): Promise<ServiceAnswer<T>> => {
    const answer = await answering;
    last = answer;
    return answer;
  };
  const listening: Transport = {
    send: (call, data) => heard(transport.send(call, data)),
    sendBare: (call, body) => heard(transport.sendBare(call, body)),
    sendForPdf: (call) => heard(transport.sendForPdf(call)),
  };
  const take = (): ServiceAnswer<unknown> | undefined => {
    const taken = last;
    last = undefined;
    return taken;
  };
  return { listening, take };
};

/**
 * The documented provider as it is checked. The port tells no more than a code: what is found is told in the words of the answers,
 * with the setting that mends it.
 */
export const documentedProvider = (transport: Transport, traits: ProviderTraits): ProviderToCheck => {
  const { listening, take } = listenTo(transport);
  return {
    provider: adapterOver({ transport: listening, traits }),
    explain: async (question, found) => {
      const answer = take();
      if (answer === undefined) return found;
      if (question.of === 'look-up') return explainLookUp(found.what, answer, traits.words.absent);
      if (answer.kind === 'succeeded') return found;
      switch (question.of) {
        case 'list':
          return explainList({ transport, traits }, found, answer, question);
        case 'proof':
          return explainProof(found.what, answer);
        case 'price':
          return found.verdict === 'wrong' && !isLacking(answer) ? failed(found.what, answer) : found;
        default:
          return found.verdict === 'wrong' ? failed(found.what, answer) : found;
      }
    },
  };
};
