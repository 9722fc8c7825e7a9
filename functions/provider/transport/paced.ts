import { given } from '../../domain/given.ts';
import type { PaceAnswer } from '../../ports/pace.ts';
import type { ServiceAnswer } from '../service-answer.ts';
import type { HttpOutcome } from './http.ts';
import type { EndpointCall, TransportDependencies } from './transport.ts';

/** The timeout includes the wait for a turn. Without a pace nothing waits. */
type PacedDependencies = Pick<TransportDependencies, 'pace' | 'clock' | 'timeoutMs'>;

/**
 * The share of a read's timeout that may be spent waiting for its turn. The total stays within the timeout that functions and
 * tasks nest around. Three fifths, 15 of 25 s, remain for the read.
 */
const waitingPart = 0.4;

/** Causes that mean the service did not answer. A response that is too large or not HTTP still counts as an answer. */
const withoutAnswer: readonly string[] = ['timeout', 'connection_reset', 'connection_failed'];

/** Milliseconds of a Retry-After header: seconds, or an HTTP date. Undefined for anything else, and without the header. */
export const retryAfterMs = (header: string | undefined, nowMs: number): number | undefined => {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000);
  // Date.parse accepts much that is not an HTTP date, such as "-5".
  const at = /^[A-Z][a-z]{2},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
};

/** What an exchange shows about the provider's limit. Undefined without credentials, because nobody was asked. */
const paceAnswerOf = (outcome: HttpOutcome, answer: ServiceAnswer<unknown>, nowMs: number): PaceAnswer | undefined => {
  if (outcome.kind === 'not_sent')
    return outcome.cause === 'credentials_unavailable' ? undefined : { kind: 'unanswered' };
  if (outcome.kind === 'unknown') return { kind: withoutAnswer.includes(outcome.cause) ? 'unanswered' : 'answered' };
  const saysTooMany = outcome.status === 429 || (answer.kind === 'refused' && answer.statusCode === 429);
  // A 503 with a Retry-After is throttling too.
  if (saysTooMany || (outcome.status === 503 && outcome.retryAfter !== undefined)) {
    const waitMs = retryAfterMs(outcome.retryAfter, nowMs);
    return { kind: 'throttled', ...given({ retryAfterMs: waitMs }) };
  }
  const saysFailed = outcome.status >= 500 || (answer.kind === 'unknown' && /^status_5\d\d$/.test(answer.cause));
  return { kind: saysFailed ? 'unanswered' : 'answered' };
};

const kindOf = ({ method }: EndpointCall) => (method === 'GET' ? 'read' : 'post');

/** The only place where reads wait for their turn, and where the pace learns the outcomes of reads and POSTs. */
export const createPaced = ({ pace, clock, timeoutMs }: PacedDependencies) => ({
  /** Milliseconds left for the call once its turn has come. Undefined when the turn does not come in time. */
  timeFor: async (call: EndpointCall): Promise<number | undefined> => {
    // POSTs waited before the claim: once a call is claimed, it is made.
    if (pace === undefined || kindOf(call) === 'post') return timeoutMs;
    const since = clock();
    const withinMs = Math.floor(timeoutMs * waitingPart);
    const turn = await pace.turn('read', { withinMs, ...given({ isSpare: call.isSpare }) });
    return turn.kind === 'later' ? undefined : Math.max(timeoutMs - withinMs, timeoutMs - (clock() - since));
  },
  report: async (call: EndpointCall, outcome: HttpOutcome, answer: ServiceAnswer<unknown>): Promise<void> => {
    const paceAnswer = paceAnswerOf(outcome, answer, clock());
    if (paceAnswer !== undefined) await pace?.report(kindOf(call), paceAnswer);
  },
});
