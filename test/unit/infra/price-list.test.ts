import { describe, expect, it } from 'vitest';
import type { Usage } from '../../../infra/local/costs/price-list.ts';
import { costOf, totalUsd } from '../../../infra/local/costs/price-list.ts';

const nothing: Usage = {
  stateTransitions: 0,
  lambdaRequests: 0,
  lambdaMbMs: 0,
  tableWriteUnits: 0,
  tableReadUnits: 0,
  s3Writes: 0,
  s3Reads: 0,
  apiRequests: 0,
};

describe('the price list', () => {
  it.each<readonly [string, Partial<Usage>, string]>([
    ['nothing', {}, '0.00000000'],
    ['1,000 state transitions', { stateTransitions: 1000 }, '0.02500000'],
    ['a million Lambda requests', { lambdaRequests: 1_000_000 }, '0.20000000'],
    ['a function of 512 MB for 2,000 seconds', { lambdaMbMs: 512 * 2_000_000 }, '0.01333340'],
    ['a million DynamoDB writes', { tableWriteUnits: 1_000_000 }, '0.62500000'],
    ['a million DynamoDB reads', { tableReadUnits: 1_000_000 }, '0.12500000'],
    ['1,000 S3 writes and 10,000 reads', { s3Writes: 1000, s3Reads: 10_000 }, '0.00900000'],
    ['a million API requests', { apiRequests: 1_000_000 }, '3.50000000'],
  ])('prices %s', (_, used, usd) => {
    expect(totalUsd(costOf({ ...nothing, ...used }))).toBe(usd);
  });
});
