import { readFileSync } from 'node:fs';
import type { HistoryEvent } from '@aws-sdk/client-sfn';
import { describe, expect, it } from 'vitest';
import { transitionsOf } from '../../../infra/local/state-transitions.ts';

const asl = readFileSync(new URL('../../../statemachines/batch.asl.json', import.meta.url), 'utf8');
const definition = asl.replaceAll(/: \$\{\w+\}/g, ': 1');

/** A child's history as the local AWS writes it: what each task answered, or that it failed. */
const history = (...ends: readonly (string | undefined)[]): readonly HistoryEvent[] =>
  ends.map((next, index): HistoryEvent => {
    const event = { timestamp: undefined, id: index + 1 };
    if (next === undefined) return { ...event, type: 'TaskFailed' };
    return {
      ...event,
      type: 'TaskSucceeded',
      taskSucceededEventDetails: { resourceType: 'lambda', resource: 'step', output: JSON.stringify({ next }) },
    };
  });

describe('state transitions of a chunk', () => {
  it.each<readonly [string, readonly (string | undefined)[], number]>([
    // SubmitChunk, What is left to do?, ChunkSettled
    ['settled at once', ['done'], 3],
    // SubmitChunk, Choice, Wait, PollChunk, Choice, ChunkSettled
    ['polled once', ['poll', 'done'], 6],
    ['polled twice, with proofs', ['poll', 'poll', 'archive', 'done'], 11],
    // SubmitChunk fails: WaitAfterInterruption, ResolveChunk, Choice, ChunkSettled
    ['interrupted while submitting', [undefined, 'done'], 5],
    // A retry is a transition of its own.
    ['with a poll that had to be tried again', ['poll', undefined, 'done'], 7],
  ])('are counted when it was %s', (_, ends, transitions) => {
    expect(transitionsOf(definition, history(...ends))).toBe(transitions);
  });

  it('are read off where the history has them, as on AWS', () => {
    const entered = ['TaskStateEntered', 'TaskSucceeded', 'ChoiceStateEntered', 'SucceedStateEntered'] as const;
    const events = entered.map((type, id) => ({ type, id, timestamp: undefined }));
    expect(transitionsOf(definition, events)).toBe(3);
  });
});
