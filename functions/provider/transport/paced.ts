import type { Clock } from '../../ports/environment.ts';
import type { Pace, PaceAnswer } from '../../ports/pace.ts';
import type { ServiceAnswer } from '../service-answer.ts';
import type { HttpOutcome } from './http.ts';
import type { EndpointCall } from './transport.ts';

export interface PacedDependencies {
  /** Without one nothing is paced. */
  readonly pace?: Pick<Pace, 'turn' | 'report'>;
  readonly clock: Clock;
  /** For one call, its wait for a turn included. */
  readonly timeoutMs: number;
}

/**
 * The part of a read's timeout that it may wait for its turn: the whole stays within the timeout that functions and tasks nest
 * around, and three fifths of it, 15 of 25 s, are left for the read.
 */
const waitingPart = 0.4;

/** What ends an exchange although the service may be well: an answer that is too large, or no HTTP, is an answer here. */
const withoutAnswer: readonly string[] = ['timeout', 'connection_reset', 'connection_failed'];

/** Milliseconds of a Retry-After header: seconds, or an HTTP date. Undefined for anything else, as for none. */
export const retryAfterMs = (header: string | undefined, nowMs: number): number | undefined => {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000);
  // Date.parse takes much that is no HTTP date, such as "-5".
  const at = /^[A-Z][a-z]{2},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
};

/** What an exchange says of the provider's limit; undefined when nothing was asked. */
const paceAnswerOf = (outcome: HttpOutcome, answer: ServiceAnswer<unknown>, nowMs: number): PaceAnswer | undefined => {
  if (outcome.kind === 'not_sent')
    return outcome.cause === 'credentials_unavailable' ? undefined : { kind: 'unanswered' };
  if (outcome.kind === 'unknown') return { kind: withoutAnswer.includes(outcome.cause) ? 'unanswered' : 'answered' };
  const saysTooMany = outcome.status === 429 || (answer.kind === 'refused' && answer.statusCode === 429);
  // A 503 that names a time means the same.
  if (saysTooMany || (outcome.status === 503 && outcome.retryAfter !== undefined)) {
    const waitMs = retryAfterMs(outcome.retryAfter, nowMs);
    return { kind: 'throttled', ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }) };
  }
  const saysFailed = outcome.status >= 500 || (answer.kind === 'unknown' && /^status_5\d\d$/.test(answer.cause));
  return { kind: saysFailed ? 'unanswered' : 'answered' };
};

const kindOf = ({ method }: EndpointCall) => (method === 'GET' ? 'read' : 'post');

/** The one place where reads wait for their turn, and where the pace is told what came of reads and POSTs. */
export const createPaced = ({ pace, clock, timeoutMs }: PacedDependencies) => ({
  /** Milliseconds that are left for the call once its turn has come; undefined when it does not come in time. */
  timeFor: async (call: EndpointCall): Promise<number | undefined> => {
    // Who posts has waited before the claim: a call that is claimed is made.
    if (pace === undefined || kindOf(call) === 'post') return timeoutMs;
    const since = clock();
    const withinMs = Math.floor(timeoutMs * waitingPart);
    const turn = await pace.turn('read', { withinMs, ...(call.isSpare ? { isSpare: true } : {}) });
    return turn.kind === 'later' ? undefined : Math.max(timeoutMs - withinMs, timeoutMs - (clock() - since));
  },
  tell: async (call: EndpointCall, outcome: HttpOutcome, answer: ServiceAnswer<unknown>): Promise<void> => {
    const told = paceAnswerOf(outcome, answer, clock());
    if (told !== undefined) await pace?.report(kindOf(call), told);
  },
});
