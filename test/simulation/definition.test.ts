import { describe, expect, it } from 'vitest';
import { History } from './history.ts';
import type { Ended } from './process.ts';
import { Timeline } from './timeline.ts';
import { readDefinition } from './workflow/definition.ts';
import type { ExecutionParts } from './workflow/execution.ts';
import { Execution } from './workflow/execution.ts';

const definition = readDefinition({ ChunkConcurrency: 2, ResolveAfterSeconds: 120 });

const executionOf = (timeline: Timeline, chunks: number, invoke: ExecutionParts['invoke']): Execution =>
  new Execution(
    {
      timeline,
      history: new History(timeline, false),
      invoke,
      readItems: () => Array.from({ length: chunks }, (_, index) => ({ batchId: 'b', chunk: index + 1 })),
      onTask: () => {},
    },
    definition,
    { executionName: 'b' },
    'b',
    { batchId: 'b' },
  );

/** Runs the batch's workflow on functions that answer as told; returns the Tasks with the seconds at which they began. */
const runWith = async (
  answers: Readonly<Record<string, readonly (() => Ended<unknown> | undefined)[]>>,
  chunks = 1,
) => {
  const timeline = new Timeline(0);
  const began: string[] = [];
  const counts = new Map<string, number>();
  const execution = executionOf(timeline, chunks, async (task) => {
    began.push(`${Math.floor(timeline.now / 1000)} ${task}`);
    const count = counts.get(task) ?? 0;
    counts.set(task, count + 1);
    const told = answers[task];
    // Undefined: a function that never answers.
    const ended = told?.[Math.min(count, told.length - 1)]?.();
    return ended ?? new Promise<never>(() => {});
  });
  void execution.run();
  await timeline.run(100_000, () => execution.status !== 'running');
  return { began, status: execution.status };
};

const answered = (value: object) => () => ({ kind: 'answered', value: { batchId: 'b', ...value } }) as const;
const failed = (name: string) => () => ({ kind: 'failed', error: Object.assign(new Error(''), { name }) }) as const;
const never = () => undefined;

const toDisburse = {
  PlanBatch: [answered({ next: 'estimate' })],
  EstimateFees: [answered({ next: 'fund' })],
  PlanFunding: [answered({ next: 'disburse', manifestKey: 'manifest' })],
  ReportBatch: [answered({ next: 'ended' })],
  RecordFailure: [answered({ next: 'attention' })],
};

describe('the workflow as the simulation reads it', () => {
  it('takes its choices from what the functions answer', async () => {
    const { began, status } = await runWith({
      ...toDisburse,
      PlanFunding: [
        answered({ next: 'convert' }),
        answered({ next: 'wait', waitSeconds: 300 }),
        ...toDisburse.PlanFunding,
      ],
      Convert: [answered({ next: 'fund' })],
      SubmitChunk: [answered({ next: 'done', waitSeconds: 0 })],
    });
    expect(began).toEqual([
      '0 PlanBatch',
      '0 EstimateFees',
      '0 PlanFunding',
      '0 Convert',
      '0 PlanFunding',
      '300 PlanFunding',
      '300 SubmitChunk',
      '300 ReportBatch',
    ]);
    expect(status).toBe('succeeded');
  });

  it('retries with growing waits, and tells a failure that stays', async () => {
    const { began, status } = await runWith({ ...toDisburse, PlanBatch: [failed('ProviderUnavailable')] });
    expect(began).toEqual(['0 PlanBatch', '10 PlanBatch', '30 PlanBatch', '30 RecordFailure']);
    expect(status).toBe('failed');
  });

  it('never retries what moves money, and looks up what became of it when nobody can be posting any more', async () => {
    const { began } = await runWith({
      ...toDisburse,
      SubmitChunk: [never],
      ResolveChunk: [answered({ next: 'done' })],
    });
    expect(began.slice(3)).toEqual(['0 SubmitChunk', '220 ResolveChunk', '220 ReportBatch']);
  });

  it('does not retry a timeout where the Retry names only failures', async () => {
    const { began } = await runWith({ ...toDisburse, EstimateFees: [never] });
    expect(began).toEqual(['0 PlanBatch', '0 EstimateFees', '100 RecordFailure']);
  });

  it('runs so many chunks at a time, and goes on when all of one have failed', async () => {
    const { began, status } = await runWith(
      {
        ...toDisburse,
        SubmitChunk: [answered({ next: 'poll', waitSeconds: 5 })],
        PollChunk: [failed('InvariantBroken')],
      },
      3,
    );
    expect(began.filter((line) => line.endsWith('SubmitChunk'))).toEqual([
      '0 SubmitChunk',
      '0 SubmitChunk',
      '640 SubmitChunk',
    ]);
    expect(began.at(-1)).toMatch(/ReportBatch$/);
    expect(status).toBe('succeeded');
  });

  it.each(['PollChunk', 'ResolveChunk', 'ArchiveProofs'])(
    'goes on with a chunk after ten minutes in which %s fails: given up, it would wait for the end of all others',
    async (task) => {
      const next = { PollChunk: 'poll', ResolveChunk: 'resolve', ArchiveProofs: 'archive' }[task];
      const { began } = await runWith({
        ...toDisburse,
        SubmitChunk: [answered({ next, waitSeconds: 0 })],
        [task]: [...Array(7).fill(failed('Lambda.TooManyRequestsException')), answered({ next: 'done' })],
      });
      expect(began.slice(-2)).toEqual([`635 ${task}`, '635 ReportBatch']);
    },
  );

  it('takes no notice of what a stopped run is still answered once it was redriven', async () => {
    const timeline = new Timeline(0);
    const inputs: unknown[] = [];
    const answersInMs = [50_000, 40_000, 10];
    const answers: readonly Ended<unknown>[] = [
      { kind: 'answered', value: { batchId: 'b', next: 'estimate', late: true } },
      { kind: 'failed', error: new Error('') },
      { kind: 'answered', value: { batchId: 'b', next: 'refused' } },
    ];
    const execution = executionOf(timeline, 0, async (_task, input) => {
      const answer = answers[inputs.push(input) - 1];
      if (answer === undefined) throw new Error('asked too often');
      await timeline.sleep(answersInMs[inputs.length - 1] ?? 0);
      return answer;
    });
    void execution.run();
    timeline.in(5_000, () => execution.stop());
    timeline.in(15_000, () => void execution.redrive());
    await timeline.run(1_000, () => execution.status === 'succeeded');
    expect(inputs).toEqual([{ batchId: 'b' }, { batchId: 'b' }, { batchId: 'b' }]);
    expect(execution.state).toBe('FileRefused');
  });

  it('refuses a placeholder that it does not know', () => {
    expect(() => readDefinition({ ChunkConcurrency: 2 })).toThrow('ResolveAfterSeconds');
  });
});
