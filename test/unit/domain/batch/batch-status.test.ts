import { expect, it } from 'vitest';
import type { Batch } from '../../../../functions/domain/batch/batch.ts';
import {
  hasBegunDisbursing,
  isBeingFunded,
  permissionToClaim,
} from '../../../../functions/domain/batch/batch-status.ts';

it.each<[Pick<Batch, 'status' | 'resumeTo' | 'cancelRequestedAt'>, boolean, boolean]>([
  [{ status: 'validating' }, true, false],
  [{ status: 'awaiting_funds' }, true, false],
  [{ status: 'processing' }, false, true],
  [{ status: 'paused', resumeTo: 'validating' }, true, false],
  [{ status: 'paused', resumeTo: 'processing' }, false, true],
  [{ status: 'paused' }, true, false],
  [{ status: 'validating', cancelRequestedAt: '2026-01-01T00:00:00.000Z' }, false, false],
  [{ status: 'canceled' }, false, false],
])('%o is being funded: %s; has begun to disburse: %s', (batch, funded, begun) => {
  expect(isBeingFunded(batch)).toBe(funded);
  expect(hasBegunDisbursing(batch)).toBe(begun);
});

it.each<[Pick<Batch, 'status' | 'cancelRequestedAt'>, ReturnType<typeof permissionToClaim>]>([
  [{ status: 'processing' }, 'granted'],
  [{ status: 'paused' }, 'stopped'],
  [{ status: 'validating' }, 'stopped'],
  [{ status: 'canceled' }, 'canceled'],
  [{ status: 'processing', cancelRequestedAt: '2026-01-01T00:00:00.000Z' }, 'canceled'],
])('%o may claim calls: %s', (batch, expected) => {
  expect(permissionToClaim(batch)).toBe(expected);
});
