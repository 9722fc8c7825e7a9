import { causesThatStay, messageWithoutPersonalData, refusalsThatPass } from '../refusal.ts';
import type { ServiceAnswer } from '../service-answer.ts';

/** What one check found. */
export interface Finding {
  readonly what: string;
  /** `good`: as the orchestrator needs it. `note`: a choice to know of, or to set. `wrong`: batches would stop or rest. */
  readonly verdict: 'good' | 'note' | 'wrong';
  /** Fit for a terminal and a log: no personal data, no secret. */
  readonly found: string;
  /** What a person does about it, a setting where there is one. */
  readonly follows?: string;
  /** It may be gone by itself: nothing was answered, or not now. */
  readonly isPassing?: true;
}

const finding =
  (verdict: Finding['verdict']) =>
  (what: string, found: string, follows?: string): Finding =>
    follows === undefined ? { what, verdict, found } : { what, verdict, found, follows };

export const good = finding('good');
export const note = finding('note');
export const wrong = finding('wrong');

type Unsuccessful = Exclude<ServiceAnswer<unknown>, { readonly kind: 'succeeded' }>;

/** An answer that was no success, in a few words. */
export const tellAnswer = (answer: Unsuccessful): string => {
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
export const isPassing = (answer: Unsuccessful): boolean =>
  answer.kind === 'refused' ? refusalsThatPass.includes(answer.statusCode) : !causesThatStay.includes(answer.cause);

export const failed = (what: string, answer: Unsuccessful): Finding => ({
  ...wrong(what, tellAnswer(answer), adviceOn(answer)),
  ...(isPassing(answer) && { isPassing: true }),
});
