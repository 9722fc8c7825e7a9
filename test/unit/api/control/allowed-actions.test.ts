import { describe, expect, it } from 'vitest';
import { allowedActions } from '../../../../functions/api/control/allowed-actions.ts';
import { operations } from '../../../../functions/api/schemas/operations/operations.ts';
import type { Batch } from '../../../../functions/domain/batch/batch.ts';
import { batchStatuses, batchStatusIs } from '../../../../functions/domain/batch/batch-status.ts';
import { batch } from '../fixtures.ts';

const nothingLeft = { openPayouts: 0, missingProofs: 0, reportOutdated: false };

const actionsOf = (changes: Partial<Batch>) => {
  const one = batch(changes);
  return allowedActions(one, nothingLeft, Date.parse(one.createdAt));
};

/** What follows the batch in the path of each endpoint that its status may refuse. */
const verbs = operations.flatMap(({ path, problems = [] }) => {
  const [, verb] = /^\/batches\/\{batchId\}\/([\w-]+)$/.exec(path) ?? [];
  return verb !== undefined && problems.some((code) => code === 'status_conflict') ? [verb] : [];
});

describe('the actions that a batch offers', () => {
  it('are the endpoints that act on a batch, each in some status', () => {
    const offered = new Set(batchStatuses.flatMap((status) => actionsOf({ status })));
    expect([...offered].toSorted()).toEqual(verbs.toSorted());
  });

  it.each(batchStatuses.filter((status) => batchStatusIs(status, 'isEnd')))(
    'are none once it is %s and no work is left',
    (status) => {
      expect(actionsOf({ status })).toEqual([]);
    },
  );

  it.each(batchStatuses)('are none while it is %s and its workflow cancels it', (status) => {
    expect(actionsOf({ status, cancelRequestedAt: '2026-01-05T09:00:00.000Z' })).toEqual([]);
  });
});
