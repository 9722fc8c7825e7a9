import { setTimeout as wait } from 'node:timers/promises';
import { problemSchema } from '../../../functions/api/schemas/problem.ts';
import type { OperatorAnswer, OperatorClient } from '../../../infra/local/operator-client.ts';
import { secondsUntilRoom } from './no-room.ts';

/** Counts of the answers to requests of one kind. */
export interface AnswerCounts {
  readonly byStatus: ReadonlyMap<number, number>;
  /** Latencies in milliseconds of answers with a status below 300, in no order. */
  readonly latencies: readonly number[];
  /** Missing answers, and answers that are neither the expected success nor a problem with `Retry-After`. */
  readonly failed: number;
  /** Requests that were repeated because the local AWS had no room. */
  readonly noRoom: number;
  readonly add: (status: number, ms: number) => void;
  readonly fail: () => void;
  readonly findNoRoom: () => void;
}

export const countAnswers = (): AnswerCounts => {
  const byStatus = new Map<number, number>();
  const latencies: number[] = [];
  let failed = 0;
  let noRoom = 0;
  return {
    byStatus,
    latencies,
    get failed() {
      return failed;
    },
    get noRoom() {
      return noRoom;
    },
    add: (status, ms) => {
      byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
      if (status < 300) latencies.push(ms);
    },
    fail: () => {
      failed += 1;
    },
    findNoRoom: () => {
      noRoom += 1;
    },
  };
};

/** The percentile of the values by nearest rank. 0 without values. */
export const percentile = (values: readonly number[], part: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? 0;
};

/** Sends one request. Repeats it only when the local AWS had no room for its function. */
const askOnce = async (
  operator: OperatorClient,
  path: string,
  counts: AnswerCounts,
): Promise<OperatorAnswer | undefined> => {
  for (;;) {
    const answer = await operator.send({ method: 'GET', path }).catch(() => undefined);
    const seconds = secondsUntilRoom(answer?.body);
    if (seconds === undefined) return answer;
    counts.findNoRoom();
    await wait(seconds * 1000);
  }
};

/** Sends this many requests at this concurrency, each once. Answers are counted and not retried. */
export const askOften = async (
  operator: OperatorClient,
  {
    paths,
    requests,
    atOnce,
  }: { readonly paths: readonly string[]; readonly requests: number; readonly atOnce: number },
): Promise<AnswerCounts> => {
  const counts = countAnswers();
  let sent = 0;
  const ask = async (): Promise<void> => {
    const path = paths[sent % paths.length] ?? '';
    sent += 1;
    const began = performance.now();
    const answer = await askOnce(operator, path, counts);
    if (answer === undefined) {
      counts.fail();
      return;
    }
    counts.add(answer.status, performance.now() - began);
    if (answer.status < 300) return;
    const isProblem = problemSchema.safeParse(answer.body).success;
    if (!isProblem || !(Number(answer.headers.get('retry-after')) > 0)) counts.fail();
  };
  const asker = async (): Promise<void> => {
    while (sent < requests) await ask();
  };
  await Promise.all(Array.from({ length: atOnce }, asker));
  return counts;
};
