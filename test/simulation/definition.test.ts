import { describe, expect, it } from 'vitest';
import type { Ended } from './process.ts';
import { readDefinition } from './workflow/definition.ts';
import type { ExecutionParts } from './workflow/execution.ts';
import { Execution } from './workflow/execution.ts';
import { History } from './world/history.ts';
import { Timeline } from './world/timeline.ts';

const definition = readDefinition({ SubmitsAtOnce: 2 });

const executionOf = (timeline: Timeline, chunks: number, invoke: ExecutionParts['invoke']): Execution =>
  new Execution(
    {
      timeline,
      history: new History(timeline, false),
      invoke,
      readItems: () => Array.from({ length: chunks }, (_, index) => ({ batchId: 'b', chunk: index + 1 })),
      onTask: () => {},
      onBroken: () => {},
    },
    definition,
    { executionName: 'b' },
    'b',
    { batchId: 'b' },
  );

/** Runs the batch's workflow on functions with scripted answers. Returns the Tasks with the seconds at which they began. */
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
    const scripted = answers[task];
    // Undefined for a function that never answers.
    const ended = scripted?.[Math.min(count, scripted.length - 1)]?.();
    return ended ?? new Promise<never>(() => {});
  });
  void execution.run();
  await timeline.run(100_000, () => execution.status !== 'running');
  return { began, status: execution.status };
};

const answered = (value: object) => () => ({ kind: 'answered', value: { batchId: 'b', ...value } }) as const;
const failed = (name: string) => () => ({ kind: 'failed', error: Object.assign(new Error(''), { name }) }) as const;
const never = () => undefined;

/** Follow's input and answer besides `next`. */
const following = { round: 1, manifestKey: 'manifest', sweeps: 0 };

const toDisburse = {
  PlanBatch: [answered({ next: 'estimate' })],
  EstimateFees: [answered({ next: 'fund' })],
  PlanFunding: [answered({ next: 'disburse', ...following })],
  SubmitChunk: [answered({ next: 'done', waitSeconds: 0 })],
  EndSubmit: [answered({})],
  Follow: [answered({ next: 'wait', waitSeconds: 15, ...following }), answered({ next: 'report', ...following })],
  ReportBatch: [answered({ next: 'ended' })],
  RecordFailure: [answered({ next: 'attention' })],
};

const sorted = (lines: readonly string[]): readonly string[] => [...lines].sort();

describe('the workflow in the simulation', () => {
  it('chooses by the answers of the functions', async () => {
    const { began, status } = await runWith({
      ...toDisburse,
      PlanFunding: [
        answered({ next: 'convert' }),
        answered({ next: 'wait', waitSeconds: 300 }),
        ...toDisburse.PlanFunding,
      ],
      Convert: [answered({ next: 'fund' })],
    });
    expect(began.slice(0, 6)).toEqual([
      '0 PlanBatch',
      '0 EstimateFees',
      '0 PlanFunding',
      '0 Convert',
      '0 PlanFunding',
      '300 PlanFunding',
    ]);
    expect(sorted(began.slice(6))).toEqual(
      sorted(['300 SubmitChunk', '300 EndSubmit', '300 Follow', '315 Follow', '315 ReportBatch']),
    );
    expect(status).toBe('succeeded');
  });

  it('estimates fees again after a wait for the provider', async () => {
    const { began } = await runWith({
      ...toDisburse,
      EstimateFees: [answered({ next: 'wait', waitSeconds: 15 }), ...toDisburse.EstimateFees],
    });
    expect(began.slice(0, 4)).toEqual(['0 PlanBatch', '0 EstimateFees', '15 EstimateFees', '15 PlanFunding']);
  });

  it('follows without submitting when no submit round is due', async () => {
    const { began } = await runWith({
      ...toDisburse,
      PlanFunding: [answered({ next: 'disburse', ...following, round: 0 })],
    });
    expect(began.slice(3)).toEqual(['0 Follow', '15 Follow', '15 ReportBatch']);
  });

  it('submits again when Follow asks for it', async () => {
    const { began } = await runWith({
      ...toDisburse,
      Follow: [answered({ next: 'submit', ...following, round: 2 }), answered({ next: 'report', ...following })],
    });
    expect(began.filter((line) => line.endsWith('SubmitChunk'))).toHaveLength(2);
    expect(began.at(-1)).toBe('0 ReportBatch');
  });

  it('retries with growing waits, and passes on a failure that persists', async () => {
    const { began, status } = await runWith({ ...toDisburse, PlanBatch: [failed('ProviderUnavailable')] });
    expect(began).toEqual(['0 PlanBatch', '10 PlanBatch', '30 PlanBatch', '30 RecordFailure']);
    expect(status).toBe('failed');
  });

  it('does not retry SubmitChunk after a timeout, and follows meanwhile', async () => {
    const { began } = await runWith({
      ...toDisburse,
      SubmitChunk: [never],
      Follow: [...Array(10).fill(toDisburse.Follow[0]), answered({ next: 'report', ...following })],
    });
    expect(began.filter((line) => line.endsWith('SubmitChunk'))).toEqual(['0 SubmitChunk']);
    expect(began).toContain('15 Follow');
    expect(began).toContain('100 EndSubmit');
    expect(began.at(-1)).toBe('150 ReportBatch');
  });

  it('does not retry a timeout when the Retry names only failures', async () => {
    const { began } = await runWith({ ...toDisburse, EstimateFees: [never] });
    expect(began).toEqual(['0 PlanBatch', '0 EstimateFees', '100 RecordFailure']);
  });

  it('runs a limited number of chunks at a time, and continues although each timed out', async () => {
    const { began, status } = await runWith({ ...toDisburse, SubmitChunk: [never] }, 3);
    expect(began.filter((line) => line.endsWith('SubmitChunk'))).toEqual([
      '0 SubmitChunk',
      '0 SubmitChunk',
      '100 SubmitChunk',
    ]);
    expect(began.at(-1)).toBe('200 ReportBatch');
    expect(status).toBe('succeeded');
  });

  it.each(['EndSubmit', 'Follow'] as const)('continues after %s failed for ten minutes', async (task) => {
    const answer = task === 'Follow' ? answered({ next: 'report', ...following }) : answered({});
    const { began } = await runWith({
      ...toDisburse,
      [task]: [...Array(7).fill(failed('Lambda.TooManyRequestsException')), answer],
    });
    expect(began.slice(-2)).toEqual([`635 ${task}`, '635 ReportBatch']);
  });

  it('ignores late answers to a stopped run after it was redriven', async () => {
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
    expect(execution.state).toBe('BatchRefused');
  });

  it('rejects an unknown placeholder', () => {
    expect(() => readDefinition({})).toThrow('SubmitsAtOnce');
  });
});
