import { chance } from './account.ts';

/** What may go wrong with a request, and whether it is carried out all the same. */
const kinds = [
  { kind: 'no answer, and done', done: 'now' },
  { kind: 'answer cut', done: 'now' },
  { kind: 'error after it was done', done: 'now' },
  { kind: 'time out, and done late', done: 'late' },
  { kind: 'time out, and not done', done: 'never' },
  { kind: 'error of a gateway', done: 'never' },
  { kind: 'too many requests', done: 'never' },
] as const;

export type Fault = (typeof kinds)[number];

/**
 * The fault of a request, by what it asks and how often it was asked: which of two requests comes first changes nothing.
 * @param rate the share of requests that go wrong, 0 to 1
 */
export const faultsOf = (seed: string, rate: number) => {
  const times = new Map<string, number>();
  return (asked: string): Fault | undefined => {
    const time = (times.get(asked) ?? 0) + 1;
    times.set(asked, time);
    if (chance(seed, 'fault', asked, time) >= rate) return undefined;
    return kinds[Math.floor(chance(seed, 'kind', asked, time) * kinds.length)];
  };
};
