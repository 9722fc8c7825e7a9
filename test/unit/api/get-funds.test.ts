import { describe, expect, it } from 'vitest';
import { paceStates, stuck } from './settle/stuck-conversion.ts';

describe('the funds', () => {
  it('show the pace of requests to the provider, and the end of a pause', async () => {
    const { funds } = await stuck();
    expect((await funds()).providerPace).toEqual(paceStates);
  });
});

describe('held treasury funds', () => {
  it('are listed by batch: reserved money, and the locked pair with its way out', async () => {
    const { funds, settle } = await stuck();
    expect(await funds()).toMatchObject({
      reservations: [{ currency: 'THB', batchId: 'b-1', batchStatus: 'validating', amount: '1010' }],
      locks: [
        {
          inputCurrency: 'usdt-tron',
          outputCurrency: 'THB',
          batchId: 'b-1',
          conversion: 1,
          since: '2026-11-21T08:00:00.000Z',
          state: 'in_doubt',
          wayOut: { requests: ['POST /batches/b-1/conversions/1/settle'] },
        },
      ],
    });
    await settle('happened');
    expect((await funds()).locks).toEqual([]);
  });
});
