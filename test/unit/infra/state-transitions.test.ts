import { readFileSync } from 'node:fs';
import type { HistoryEvent } from '@aws-sdk/client-sfn';
import { describe, expect, it } from 'vitest';
import { transitionsOf } from '../../../infra/local/costs/state-transitions.ts';
import { taskAttemptsOf } from '../../../infra/local/costs/task-attempts.ts';

const asl = readFileSync(new URL('../../../statemachines/batch.asl.json', import.meta.url), 'utf8');
// Unquoted placeholders of numbers would not be valid JSON.
const definition = asl.replaceAll(/: \$\{\w+\}/g, ': 1');

type Told = Omit<HistoryEvent, 'id' | 'timestamp'>;
const inOrder = (events: readonly Told[]): readonly HistoryEvent[] =>
  events.map((event, index) => ({ ...event, id: index + 1, timestamp: new Date(index * 1000) }));

/** The events of one attempt of a task on the local AWS: its output, or its failure. */
const tried = (task: string, next?: string): readonly Told[] => {
  const resource = `\${${task}Function}`;
  const details = { resourceType: 'lambda', resource };
  return [
    { type: 'TaskScheduled', taskScheduledEventDetails: { ...details, region: '', parameters: '' } },
    next === undefined
      ? { type: 'TaskFailed', taskFailedEventDetails: details }
      : { type: 'TaskSucceeded', taskSucceededEventDetails: { ...details, output: JSON.stringify({ next }) } },
  ];
};

const entered = (type: HistoryEvent['type'], name: string, input: object = {}): Told => ({
  type,
  stateEnteredEventDetails: { name, input: JSON.stringify(input) },
});

/** Two lists of events that happen at the same time. */
const interleaved = (one: readonly Told[], other: readonly Told[]): readonly Told[] =>
  Array.from({ length: Math.max(one.length, other.length) }, (_, index) => [
    ...one.slice(index, index + 1),
    ...other.slice(index, index + 1),
  ]).flat();

describe('state transitions of a chunk', () => {
  it.each<readonly [string, readonly (string | undefined)[], number]>([
    // SubmitChunk, Is it its turn?, ChunkSubmitted
    ['submitted immediately', ['submitted'], 3],
    // SubmitChunk, Choice, WaitForTurn, SubmitChunk, Choice, ChunkSubmitted
    ['made to wait for its turn', ['wait', 'submitted'], 6],
    // A retry is another transition.
    ['not run at first', [undefined, 'submitted'], 4],
    ['interrupted', [undefined], 1],
  ])('are counted when it was %s', (_, answers, transitions) => {
    const events = inOrder(answers.flatMap((next) => tried('SubmitChunk', next)));
    expect(transitionsOf(definition, events)).toBe(transitions);
  });
});

describe('state transitions of a batch', () => {
  const disburse = entered('ParallelStateEntered', 'Disburse', { round: 1 });
  const exited: Told = { type: 'ParallelStateExited' };
  const report = [entered('TaskStateEntered', 'ReportBatch'), ...tried('ReportBatch', 'ended')];

  it.each<readonly [string, readonly Told[], number]>([
    // Disburse; Choice, Submit, EndSubmit; Follow, Choice, WaitToFollow, Follow, Choice, Followed; ReportBatch
    [
      'with both branches concurrently',
      [
        disburse,
        ...interleaved(tried('EndSubmit', 'ended'), [...tried('Follow', 'wait'), ...tried('Follow', 'report')]),
        exited,
        ...report,
      ],
      1 + 3 + 6 + 1,
    ],
    // Disburse; Choice, NothingToSubmit; Follow, Choice, Followed
    [
      'with nothing to submit',
      [entered('ParallelStateEntered', 'Disburse', { round: 0 }), ...tried('Follow', 'hand_over'), exited],
      1 + 2 + 3,
    ],
    // Disburse; Choice, Submit, EndSubmit; Follow, Choice, ReportSoFar, WaitToFollow, Follow, its retry, Choice, Followed
    [
      'with interim reports and a sweep that had to be tried again',
      [
        disburse,
        ...tried('EndSubmit', 'ended'),
        ...tried('Follow', 'report_interim'),
        ...tried('ReportBatch', 'follow'),
        ...tried('Follow'),
        ...tried('Follow', 'report'),
        exited,
      ],
      1 + 3 + 8,
    ],
    // Outside of the branches the history has them: PlanBatch and its retry
    [
      'while it is planned',
      [entered('TaskStateEntered', 'PlanBatch'), ...tried('PlanBatch'), ...tried('PlanBatch')],
      2,
    ],
  ])('are counted %s', (_, events, transitions) => {
    expect(transitionsOf(definition, inOrder(events))).toBe(transitions);
  });

  it('are read correctly when the history includes the branches, as on AWS', () => {
    const submit = [entered('MapStateEntered', 'Submit'), entered('TaskStateEntered', 'EndSubmit')];
    const follow = [entered('TaskStateEntered', 'Follow'), entered('SucceedStateEntered', 'Followed')];
    const events = [disburse, ...interleaved(submit, follow), ...tried('Follow', 'report'), exited, ...report];
    expect(transitionsOf(definition, inOrder(events))).toBe(1 + 4 + 1);
  });
});

describe('attempts of tasks', () => {
  const seconds = (events: readonly HistoryEvent[]) =>
    taskAttemptsOf(events).map(({ resource, scheduled, ended }) => [
      resource,
      (Number(ended.timestamp) - Number(scheduled.timestamp)) / 1000,
    ]);

  it('that overlap are distinguished by their functions', () => {
    const [submitted, ended] = tried('EndSubmit', 'ended');
    const events = [submitted, ...tried('Follow', 'wait'), ended].filter((event) => event !== undefined);
    expect(seconds(inOrder(events))).toEqual([
      ['${FollowFunction}', 1],
      ['${EndSubmitFunction}', 3],
    ]);
  });

  it('that overlap are distinguished by earlier events, as on AWS', () => {
    const scheduled = (resource: string): Told => ({
      type: 'LambdaFunctionScheduled',
      lambdaFunctionScheduledEventDetails: { resource },
    });
    const events = inOrder([
      scheduled('one'),
      scheduled('other'),
      { type: 'LambdaFunctionStarted', previousEventId: 1 },
      { type: 'LambdaFunctionStarted', previousEventId: 2 },
      { type: 'LambdaFunctionTimedOut', previousEventId: 3 },
      { type: 'LambdaFunctionSucceeded', previousEventId: 4 },
    ]);
    expect(seconds(events)).toEqual([
      ['one', 4],
      ['other', 4],
    ]);
  });
});
