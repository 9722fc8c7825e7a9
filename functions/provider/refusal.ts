import { ProviderMisconfigured, ProviderRefused, ProviderUnavailable } from '../domain/errors.ts';
import { given } from '../domain/given.ts';
import type { CallFailure } from '../ports/provider.ts';
import type { ServiceAnswer } from './service-answer.ts';
import type { ProviderTraits } from './settings.ts';

/** Characters of a message that are examined: far more than are kept, and few enough to search for addresses cheaply. */
const longestMasked = 2000;

/** Cuts long messages at a word boundary: half an address would not be recognized as one. */
const cut = (message: string): string =>
  message.length > longestMasked ? message.slice(0, longestMasked).replace(/(?<!\S)\S*$/, '***') : message;

/**
 * Makes a refusal's message safe for the ledger and the log. The service may echo what it was sent, so this masks long numbers,
 * wallet-like words and email addresses. Wallet-like: at least 20 letters and digits, or at least 26 letters. Returns at most 200
 * characters.
 */
export const messageWithoutPersonalData = (message: string): string =>
  cut(message)
    .replace(/\p{Cc}+/gu, ' ')
    .replace(/\S+@\S+/g, '***')
    .replace(/\b(?=[A-Za-z]*\d)[A-Za-z0-9]{20,}|[A-Za-z0-9]{26,}/g, '***')
    .replace(/\d(?:[\s.-]?\d){4,}/g, '***')
    .slice(0, 200);

/**
 * Makes a text of the service safe for the ledger: one line, masked as by messageWithoutPersonalData. Also removes the given
 * personal texts and each of their words, in any letter case. Words of one or two characters are kept, because too many other
 * texts contain them.
 */
export const textWithout = (personal: readonly (string | undefined)[], text: string): string => {
  const words = personal.flatMap((one = '') => [one, ...one.split(/[^\p{L}\p{M}\p{N}]+/u)]);
  const known = [...new Set(words.filter((word) => word.length > 2))]
    .sort((a, b) => b.length - a.length)
    .map(RegExp.escape);
  const shown = cut(text).replaceAll(/[\p{C}\p{Z}]+/gu, ' ');
  const anyKnown = new RegExp(`(?<![\\p{L}\\p{M}\\p{N}])(?:${known.join('|')})(?![\\p{L}\\p{M}\\p{N}])`, 'giu');
  return messageWithoutPersonalData(known.length === 0 ? shown : shown.replaceAll(anyKnown, '***')).trim();
};

/** Splits a message into words: `ERR_InsufficientBalance` has three. */
const asWords = (message: string): string =>
  cut(message)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ');

/** True when a message contains one of these phrases or its plural: see `phrases` in settings.ts. */
export const containsPhrase = (phrases: readonly string[], message: string): boolean =>
  phrases.some((phrase) => {
    const pattern = phrase.split('*').map(RegExp.escape).join('.{0,20}');
    const whole = new RegExp(`(?<![\\p{L}\\p{N}])${pattern}s?(?![\\p{L}\\p{N}])`, 'iu');
    return whole.test(cut(message)) || whole.test(asWords(message));
  });

/**
 * True when a 400 says that something with this reference already exists. The document shows no wording, and services differ.
 * Mistaking an invalid row for this costs a person's time. The opposite mistake could cost a second payment.
 */
const saysTaken = (message: string, taken: readonly string[]): boolean => {
  const words = asWords(message).replace(/(\bnot|n['’]t|\bnever) (yet )?(exist|been used|used|in use)\w*/gi, ' ');
  return (
    containsPhrase(taken, message) ||
    /duplicat|\bre-?used?\b|\bre-?play|idempoten|\b(not|be|is) unique|\balready\b.{0,20}\b(exist|process|submit|us|creat|made|paid|pay|tak|regist|receiv|sen[dt]|complet|disburs|transfer|known)/i.test(
      words,
    ) ||
    (/\b(ref(erence)?s?|ids?|keys?|transactions?|requests?|disbursements?)\b/i.test(words) &&
      /\b(taken|used|in use|exists?|existing|unique|conflict\w*|repeated|assigned)\b/i.test(words))
  );
};

export type Unsuccessful = Exclude<ServiceAnswer<unknown>, { readonly kind: 'succeeded' }>;

/** True for 401 and 403: the signature, its secret, or the account's rights. */
export const refusesCredentials = (answer: ServiceAnswer<unknown>): boolean =>
  answer.kind === 'refused' && (answer.statusCode === 401 || answer.statusCode === 403);

/**
 * Classifies an unsuccessful answer to a call that moves money. Only 400, 401 and 403 in the service's own body prove that
 * nothing was done.
 */
export const classifyUnsuccessful = (answer: Unsuccessful, { words }: Pick<ProviderTraits, 'words'>): CallFailure => {
  switch (answer.kind) {
    case 'not_sent':
    case 'unknown':
      return answer;
    case 'refused':
      if (answer.statusCode === 400) {
        const message = messageWithoutPersonalData(answer.message);
        return {
          kind: 'rejected',
          message,
          ...given({
            isTaken: saysTaken(answer.message, words.taken) || undefined,
            isBalanceTooLow: containsPhrase(words.balanceTooLow, answer.message) || undefined,
          }),
        };
      }
      if (refusesCredentials(answer)) return answer.isBare ? { kind: 'halted' } : { kind: 'halted', madeNothing: true };
      return { kind: 'unknown', cause: `status_${answer.statusCode}` };
  }
};

/**
 * True when the provider has no such endpoint: it says so in its own words (404, 405) or its router's, or the answer is a 501. A
 * gateway's bare 404 does not count, because it may be temporary.
 */
export const isLacking = (answer: ServiceAnswer<unknown>): boolean =>
  (answer.kind === 'refused' && (answer.statusCode === 404 || answer.statusCode === 405)) ||
  (answer.kind === 'unknown' && (answer.cause === 'no_such_route' || answer.cause === 'status_501'));

/** Refusals that are worth a retry. */
const transientRefusals: readonly number[] = [408, 425, 429];

/** Causes that far more often come from a wrong setting or secret than from a temporary fault. */
const lastingCauses: readonly string[] = [
  'credentials_unavailable',
  'no_such_route',
  'unreadable_body',
  'data_unreadable',
];

/** True when the answer says nothing about the settings and may differ on the next attempt. */
export const isTransient = (answer: Unsuccessful): boolean =>
  answer.kind === 'refused' ? transientRefusals.includes(answer.statusCode) : !lastingCauses.includes(answer.cause);

/**
 * Returns the data of a read.
 *
 * @param endpoint named in the error
 * @throws ProviderUnavailable when another attempt may succeed; its subclass ProviderMisconfigured when a setting is the likely
 * cause. ProviderRefused when only a person can help. Messages hold endpoint and code, never a body. `cause` holds the code
 */
export const dataOrThrow = <T>(endpoint: string, answer: ServiceAnswer<T>): T => {
  if (answer.kind === 'succeeded') return answer.data;
  const isRefused = answer.kind === 'refused';
  const cause = isRefused ? `status_${answer.statusCode}` : answer.cause;
  const LastingError = isRefused ? ProviderRefused : ProviderMisconfigured;
  throw new (isTransient(answer) ? ProviderUnavailable : LastingError)(`${endpoint}: ${cause}`, { cause });
};
