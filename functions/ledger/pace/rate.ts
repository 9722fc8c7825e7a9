import * as z from 'zod';
import { hourMs } from '../../domain/durations.ts';
import { record } from '../../domain/records.ts';
import type { TurnKind } from '../../ports/pace.ts';

/** The current request rate. It adapts as TCP does to a line of unknown capacity: refusals halve it, and success raises it. */
export const storedRate = record(() => ({
  /** Requests per second after the provider slowed us down. Absent at full speed. */
  perSecond: z.number().exactOptional(),
  /** Time of the last change of `perSecond`, in ms since 1970. */
  changedAtMs: z.number().exactOptional(),
  /** Time of the last halving, in ms since 1970. */
  halvedAtMs: z.number().exactOptional(),
  /** No slot before this time. */
  blockedUntilMs: z.number().exactOptional(),
  /** Consecutive requests without an answer, as far as reported. */
  unanswered: z.int(),
}));
export type Rate = z.infer<ReturnType<typeof storedRate>>;

export const fullRate: Rate = { unanswered: 0 };

/** The rate is halved, at most once per second: requests already under way at the halving return the same answer. */
const slowerBy = 0.5;
const againAfterMs = 1000;
/** The minimum: 1/32 of the limit, but at least one request in ten seconds. Enough to notice that the provider works again. */
const slowestPart = 1 / 32;
const slowestPerSecond = 0.1;
/**
 * Success raises the rate by a sixtieth of itself per second: it doubles in 42 seconds. In proportion to the limit it would grow too
 * fast where the limit set is far above the provider's. A POST that is answered with 429 may leave payouts in doubt.
 */
const fasterPerSecond = 1 / 60;
/**
 * A read may be repeated, so reads speed up more: by a fiftieth per request that the rate allows, which doubles it in 35 requests. But
 * it takes ten seconds at the least. One 429 in 67 reads, at whatever rate, leaves about five reads per second, instead of two.
 */
const fasterPerRead = 1 / 50;
const readsFasterPerSecond = 1 / 15;
/** A longer pause ends the reading of a list, which then starts over. So after one, reads speed up as slowly as POSTs. */
const longPauseMs = 2000;
/** The most of a gap between two successes that counts: a longer one may have been an outage. */
const countedGapMs = 5000;
/** After ten minutes without a change the old rate says nothing, and requests start at full speed again. */
const forgottenAfterMs = 600_000;
/** Consecutive requests without an answer. One or two are a broken connection; five are a provider in trouble. */
const unansweredRun = 5;
/** A 429 without a time blocks requests for a second, the window in which most limits count. */
const defaultBlockMs = 1000;
/** A header that is wrong by days must not block requests for days. */
const longestBlockMs = hourMs;

const isForgotten = ({ changedAtMs = 0, blockedUntilMs = 0 }: Rate, nowMs: number): boolean =>
  nowMs - Math.max(changedAtMs, blockedUntilMs) > forgottenAfterMs;

/** Current requests per second, at most the limit. */
export const perSecondAt = (rate: Rate, limitPerSecond: number, nowMs: number): number =>
  rate.perSecond === undefined || isForgotten(rate, nowMs) ? limitPerSecond : Math.min(rate.perSecond, limitPerSecond);

const halved = (rate: Rate, limitPerSecond: number, nowMs: number): Rate => {
  const slowest = Math.min(limitPerSecond, Math.max(limitPerSecond * slowestPart, slowestPerSecond));
  const perSecond = Math.max(slowest, perSecondAt(rate, limitPerSecond, nowMs) * slowerBy);
  return { ...rate, perSecond, changedAtMs: nowMs, halvedAtMs: nowMs };
};

/** True when the request was sent before the last halving could take effect. */
const predatesHalving = ({ halvedAtMs = 0, blockedUntilMs = 0 }: Rate, nowMs: number): boolean =>
  nowMs < Math.max(halvedAtMs + againAfterMs, blockedUntilMs);

/** After a 429: no requests for `retryAfterMs`, and half the rate from then on. */
export const throttled = (
  rate: Rate,
  limitPerSecond: number,
  nowMs: number,
  retryAfterMs: number = defaultBlockMs,
): Rate => {
  const slower = predatesHalving(rate, nowMs) ? rate : halved(rate, limitPerSecond, nowMs);
  const blockedUntilMs = Math.max(rate.blockedUntilMs ?? 0, nowMs + Math.min(retryAfterMs, longestBlockMs));
  return { ...slower, blockedUntilMs };
};

/** After a request without an answer: half the rate when it is the fifth in a row. */
export const unanswered = (rate: Rate, limitPerSecond: number, nowMs: number): Rate => {
  const run = rate.unanswered + 1;
  if (run < unansweredRun || predatesHalving(rate, nowMs)) return { ...rate, unanswered: run };
  return { ...halved(rate, limitPerSecond, nowMs), unanswered: 0 };
};

const growth = (kind: TurnKind, perSecond: number, { halvedAtMs = 0, blockedUntilMs = 0 }: Rate): number =>
  kind === 'read' && blockedUntilMs - halvedAtMs <= longPauseMs
    ? Math.max(fasterPerSecond, Math.min(readsFasterPerSecond, perSecond * fasterPerRead))
    : fasterPerSecond;

/** After answered requests: a little faster, in proportion to the time since the last change. */
export const answered = (rate: Rate, limitPerSecond: number, nowMs: number, kind: TurnKind): Rate => {
  const { perSecond, changedAtMs = 0, blockedUntilMs = 0 } = rate;
  const next = { ...rate, unanswered: 0 };
  if (perSecond === undefined) return next;
  const gapMs = Math.min(countedGapMs, nowMs - Math.max(changedAtMs, blockedUntilMs));
  if (gapMs <= 0) return next;
  const current = perSecondAt(rate, limitPerSecond, nowMs);
  const faster = current * (1 + (growth(kind, current, rate) * gapMs) / 1000);
  return faster < limitPerSecond ? { ...next, perSecond: faster, changedAtMs: nowMs } : fullRate;
};
