/** How fast we go at present: AIMD, as TCP finds the rate of a line that nobody tells it. */
export interface Rate {
  /** Requests a second after the provider slowed us down; absent at full speed. */
  readonly perSecond?: number;
  /** When `perSecond` was last changed, up or down; milliseconds since 1970. */
  readonly changedAtMs?: number;
  /** No slot before this time. */
  readonly blockedUntilMs?: number;
  /** Requests without an answer, none answered between them as far as it was told. */
  readonly unanswered: number;
}

export const fullRate: Rate = { unanswered: 0 };

/** Halved at a time, and once in a second: what was under way when it was halved comes back with the same answer. */
const slowerBy = 0.5;
const againAfterMs = 1000;
/** Never slower than a thirty-second of the limit or one request in ten seconds, which is enough to see that it works again. */
const slowestPart = 1 / 32;
const slowestPerSecond = 0.1;
/** Success gives back a sixtieth of the limit a second: from nothing to all in a minute. */
const fasterPerSecond = 1 / 60;
/** Of a gap between two successes no more counts: it may have been an outage. */
const countedGapMs = 5000;
/** After ten minutes without a change nothing is known any more, and we begin at full speed again. */
const forgottenAfterMs = 600_000;
/** Requests in a row that were not answered: one or two are a broken connection, five are a provider in trouble. */
const unansweredRun = 5;
/** A 429 that names no time stops us for a second, which is the window most limits count in. */
const defaultBlockMs = 1000;
/** A header that is wrong by days must not stop us for days. */
const longestBlockMs = 3_600_000;

const isForgotten = ({ changedAtMs = 0, blockedUntilMs = 0 }: Rate, nowMs: number): boolean =>
  nowMs - Math.max(changedAtMs, blockedUntilMs) > forgottenAfterMs;

/** Requests a second at present: at most the limit. */
export const perSecondAt = (rate: Rate, limitPerSecond: number, nowMs: number): number =>
  rate.perSecond === undefined || isForgotten(rate, nowMs) ? limitPerSecond : Math.min(rate.perSecond, limitPerSecond);

const halved = (rate: Rate, limitPerSecond: number, nowMs: number): Rate => {
  const slowest = Math.min(limitPerSecond, Math.max(limitPerSecond * slowestPart, slowestPerSecond));
  const perSecond = Math.max(slowest, perSecondAt(rate, limitPerSecond, nowMs) * slowerBy);
  return { ...rate, perSecond, changedAtMs: nowMs };
};

/** True for an answer to what was sent before the last change could be felt. */
const isOldNews = ({ changedAtMs = 0, blockedUntilMs = 0 }: Rate, nowMs: number): boolean =>
  nowMs < Math.max(changedAtMs + againAfterMs, blockedUntilMs);

/** After a 429: nobody before `retryAfterMs` have passed, and half as fast from then on. */
export const throttled = (
  rate: Rate,
  limitPerSecond: number,
  nowMs: number,
  retryAfterMs: number = defaultBlockMs,
): Rate => {
  const slower = isOldNews(rate, nowMs) ? rate : halved(rate, limitPerSecond, nowMs);
  const blockedUntilMs = Math.max(rate.blockedUntilMs ?? 0, nowMs + Math.min(retryAfterMs, longestBlockMs));
  return { ...slower, blockedUntilMs };
};

/** After a request that got no answer: half as fast when it is the fifth in a row. */
export const unanswered = (rate: Rate, limitPerSecond: number, nowMs: number): Rate => {
  const run = rate.unanswered + 1;
  if (run < unansweredRun || isOldNews(rate, nowMs)) return { ...rate, unanswered: run };
  return { ...halved(rate, limitPerSecond, nowMs), unanswered: 0 };
};

/** After requests that were answered: a little faster, by the time since the last change. */
export const answered = (rate: Rate, limitPerSecond: number, nowMs: number): Rate => {
  const { perSecond, changedAtMs = 0, blockedUntilMs = 0 } = rate;
  const next = { ...rate, unanswered: 0 };
  if (perSecond === undefined) return next;
  const gapMs = Math.min(countedGapMs, nowMs - Math.max(changedAtMs, blockedUntilMs));
  if (gapMs <= 0) return next;
  const faster = perSecondAt(rate, limitPerSecond, nowMs) + (limitPerSecond * fasterPerSecond * gapMs) / 1000;
  return faster < limitPerSecond ? { ...next, perSecond: faster, changedAtMs: nowMs } : fullRate;
};
