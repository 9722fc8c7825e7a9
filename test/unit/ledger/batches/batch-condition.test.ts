import { describe, expect, it } from 'vitest';
import type { BatchStatus } from '../../../../functions/domain/batch/batch-status.ts';
import {
  batchStatuses,
  batchStatusIs,
  hasBegunDisbursing,
  isBeingFunded,
  permissionToClaim,
  permissionToMoveMoney,
} from '../../../../functions/domain/batch/batch-status.ts';
import { batchThat, beingFunded, mayClaim } from '../../../../functions/ledger/batches/batch-condition.ts';
import type { Expression } from '../../../../functions/ledger/table/expressions.ts';
import { namesIn } from '../../../../functions/ledger/table/writes.ts';
import { holds } from '../../../support/memory-table/expressions.ts';

interface Batch {
  readonly status: BatchStatus;
  readonly resumeTo?: BatchStatus;
  readonly cancelRequestedAt?: string;
}

const meets = ({ text, values }: Expression, item: object): boolean =>
  holds(text, { ...item }, { names: namesIn(text), values });

/** A paused batch resumes to one of these. Afterward it keeps the field, and never goes back from disbursing. */
const resumesTo = [undefined, 'validating', 'awaiting_funds', 'processing'] as const;
const isPossible = ({ status, resumeTo }: Batch): boolean =>
  batchStatusIs(status, 'isPaused')
    ? resumeTo !== undefined
    : resumeTo !== 'processing' || batchStatusIs(status, 'isEnd') || hasBegunDisbursing({ status });

const batches: readonly Batch[] = batchStatuses
  .flatMap((status) => resumesTo.map((resumeTo) => (resumeTo === undefined ? { status } : { status, resumeTo })))
  .filter(isPossible)
  .flatMap((batch) => [batch, { ...batch, cancelRequestedAt: '2026-01-05T09:00:00.000Z' }]);

describe('the condition that a batch', () => {
  it.each<[string, Expression, (batch: Batch) => boolean]>([
    ['is being funded', beingFunded, isBeingFunded],
    ['may claim calls', batchThat('mayClaim'), (batch) => permissionToClaim(batch) === 'granted'],
    ['may claim a call of any chunk', mayClaim(1), (batch) => permissionToClaim(batch) === 'granted'],
  ])('%s holds exactly when the domain says so', (_, condition, allows) => {
    const allowed = batches.filter(allows);
    expect(batches.filter((batch) => meets(condition, batch))).toEqual(allowed);
    expect(allowed.length).toBeGreaterThan(0);
  });

  it('may reserve money holds only when the domain lets it move money', () => {
    const reserving = batches.filter((batch) => meets(batchThat('mayReserve'), batch));
    expect(reserving.map(permissionToMoveMoney)).toEqual(reserving.map(() => 'granted'));
    expect(new Set(reserving.map(({ status }) => status))).toEqual(new Set(['validating', 'awaiting_funds']));
  });

  it.each([
    [4, false],
    [3, true],
  ])('may claim a call holds for chunk %i of a batch whose canary ends with chunk 3: %s', (chunk, expected) => {
    expect(meets(mayClaim(chunk), { status: 'processing', claimUpTo: 3 })).toBe(expected);
  });
});
