import { ProviderRefused, unlessUnavailable } from '../../domain/errors.ts';
import { given } from '../../domain/given.ts';
import { createPaymentServiceClient, disbursementsOn } from '../client/payment-service-client.ts';
import { paymentProviderOver } from '../payment-provider.ts';
import type { Unsuccessful } from '../refusal.ts';
import { containsPhrase, isLacking, isTransient, messageWithoutPersonalData, refusesCredentials } from '../refusal.ts';
import type { ServiceAnswer } from '../service-answer.ts';
import type { ProviderTraits } from '../settings.ts';
import type { Transport } from '../transport/transport.ts';
import { ignoresReference } from './check-absence.ts';
import { noLists } from './check-lists.ts';
import type { Judgment } from './finding.ts';
import { good, note, wrong } from './finding.ts';
import type { ProviderToCheck, Question } from './provider-to-check.ts';

/** Describes an unsuccessful answer in a few words, without personal data. */
export const describeAnswer = (answer: Unsuccessful): string => {
  if (answer.kind !== 'refused') return answer.cause;
  const message = messageWithoutPersonalData(answer.message);
  return answer.isBare ? `${answer.statusCode} without a message` : `${answer.statusCode} "${message}"`;
};

const notBelow = 'Correct provider.baseUrl: the paths of the document are not below it.';

const advice: Readonly<Record<string, string>> = {
  credentials_unavailable: 'The secret is missing or malformed: functions/provider/SIGNING.md shows what it holds.',
  connection_failed:
    'Correct provider.baseUrl, or the network to it: the host has no address, refuses connections, or has a certificate that is not trusted.',
  timeout: 'Correct provider.baseUrl, or the network to it: nothing answers.',
  unreadable_response: 'Correct provider.baseUrl: the server there does not speak HTTP.',
  no_such_route: notBelow,
  unreadable_body: 'Correct provider.baseUrl: the server there is not a payment service.',
  data_unreadable: 'The answer does not match the document.',
};

/** What a person should do when a request that should have worked failed. Undefined when no advice fits. */
export const adviceOn = (answer: Unsuccessful): string | undefined => {
  if (answer.kind !== 'refused') return advice[answer.cause];
  if (refusesCredentials(answer))
    return 'Correct the secret, provider.signing, or provider.traits.headers and authorizationPrefix.';
  return answer.statusCode === 404 ? notBelow : undefined;
};

const failed = (answer: Unsuccessful): Judgment => ({
  ...wrong(describeAnswer(answer), adviceOn(answer)),
  ...given({ isTransient: isTransient(answer) || undefined }),
});

const explainLookUp = (answer: ServiceAnswer<unknown>, absent: readonly string[]): Judgment => {
  if (answer.kind === 'succeeded') return wrong('answers with a record', ignoresReference);
  if (answer.kind !== 'refused' || refusesCredentials(answer) || isTransient(answer)) return failed(answer);
  const summary = describeAnswer(answer);
  if (answer.statusCode !== 404)
    return wrong(summary, 'Only a 404 proves absence. A person would have to resolve every payout in doubt.');
  if (containsPhrase(absent, answer.message)) return good(summary);
  const phrase = JSON.stringify([messageWithoutPersonalData(answer.message)]);
  const follows = `If it says this only about disbursements, set provider.traits.words.absent to ${phrase}, but leave out any reference in it.`;
  return wrong(summary, follows);
};

const explainProof = (answer: Unsuccessful): Judgment => {
  const summary = describeAnswer(answer);
  if (answer.kind === 'unknown' && isLacking(answer))
    return note(summary, 'It has no proofs: set provider.traits.rails.fiat.hasProofs to false.');
  if (answer.kind === 'refused' && (answer.statusCode === 404 || answer.statusCode === 400)) return good(summary);
  return answer.kind === 'refused' && !refusesCredentials(answer)
    ? note(summary, 'Proofs would not be archived.')
    : failed(answer);
};

/** Page sizes to try when the configured one is refused. The last is the document's default. */
const smallerPages = [50, 25, 20, 10] as const;

type ListQuery = Extract<Question, { readonly about: 'list' }>['query'];

// The check itself reports what the adapter would log.
const adapterOver = (transport: Transport, traits: ProviderTraits) =>
  paymentProviderOver(transport, { traits, log: { warn: () => {} } });

/**
 * True when the provider answers a read, false when it refuses it.
 *
 * @throws ProviderUnavailable when it does neither, because then the remedy is unknown
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

const refusesOrder = 'The list refuses the sort order that Follow uses.';

/**
 * The documented provider, ready to be checked. The port reports only a code. Findings quote the provider's answer instead, and
 * name the setting to change.
 */
export const documentedProvider = (transport: Transport, traits: ProviderTraits): ProviderToCheck => {
  /**
   * Finds a setting that makes a refused list work: smaller pages, or no lists when the order is refused. Says that none helps
   * when the search by reference needs the order too. Undefined when the list is refused without an order too.
   */
  const findListRemedy = async (query: ListQuery): Promise<string | undefined> => {
    const withPages = (pageLimit: number) => adapterOver(transport, { ...traits, pageLimit });
    for (const size of smallerPages.filter((smaller) => smaller < traits.pageLimit))
      if (await answers(withPages(size).listDisbursements(query))) return `Set provider.traits.pageLimit to ${size}.`;
    const list = disbursementsOn(createPaymentServiceClient(transport), query.rail);
    const unordered = await list.list({ page: 1, limit: Math.min(10, traits.pageLimit) });
    if (unordered.kind !== 'succeeded') return undefined;
    // Crypto payouts are also searched by reference, in an order, even when lists are off.
    return query.rail === 'fiat' || (await answers(withPages(0).listByReference('crypto', 'check-order')))
      ? `${refusesOrder} Set provider.traits.pageLimit to 0: Follow then asks about each payout.`
      : `${refusesOrder} The search by reference needs a sort order too: no setting helps.`;
  };

  const explainList = async (answer: Unsuccessful, query: ListQuery): Promise<Judgment> => {
    const summary = describeAnswer(answer);
    if (isLacking(answer)) return note(`none: ${summary}`, `${noLists} Set provider.traits.pageLimit to 0.`);
    if (answer.kind !== 'refused' || answer.statusCode !== 400) return failed(answer);
    const remedy = await findListRemedy(query).catch(unlessUnavailable);
    return remedy === undefined ? failed(answer) : wrong(`${traits.pageLimit}: ${summary}`, remedy);
  };

  /** The last answer, until a finding quotes it. */
  let last: ServiceAnswer<unknown> | undefined;
  const remember = async <T>(answering: Promise<ServiceAnswer<T>>): Promise<ServiceAnswer<T>> => {
    const answer = await answering;
    last = answer;
    return answer;
  };
  const remembering: Transport = {
    send: (call, data) => remember(transport.send(call, data)),
    sendBare: (call, body) => remember(transport.sendBare(call, body)),
    sendForPdf: (call) => remember(transport.sendForPdf(call)),
  };
  return {
    provider: adapterOver(remembering, traits),
    explain: async (question, found) => {
      const answer = last;
      last = undefined;
      if (answer === undefined) return found;
      if (question.about === 'lookup') return explainLookUp(answer, traits.words.absent);
      if (answer.kind === 'succeeded') return found;
      switch (question.about) {
        case 'list':
          return explainList(answer, question.query);
        case 'proof':
          return explainProof(answer);
        case 'price':
          return found.verdict === 'wrong' && !isLacking(answer) ? failed(answer) : found;
        default:
          return found.verdict === 'wrong' ? failed(answer) : found;
      }
    },
  };
};
