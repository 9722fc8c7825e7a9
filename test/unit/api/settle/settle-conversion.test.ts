import { describe, expect, it } from 'vitest';
import { conversionView } from '../../../../functions/api/schemas/funding.ts';
import { thb } from '../../../support/money.ts';
import { operator } from '../fixtures.ts';
import { stuck } from './stuck-conversion.ts';

const problem = (code: string) => ({ kind: 'problem', code });

describe('settling a conversion in doubt', () => {
  it.each([
    ['happened', 'completed'],
    ['not_happened', 'not_made'],
  ] as const)('as %s ends it as %s, frees its pair, and is in the audit trail once', async (decision, status) => {
    const { ledger, settle } = await stuck();
    const first = await settle(decision);
    expect(first).toMatchObject({ status: 200, body: { status, reason: { code: `settled_${decision}` } } });
    if (first.kind === 'answer') expect(conversionView.parse(first.body)).toEqual(first.body);
    expect(await settle(decision)).toEqual(first);
    expect(ledger.locks.size).toBe(0);
    expect(ledger.events).toMatchObject([
      {
        code: 'conversion.settled',
        by: operator,
        note: 'Seen in the provider’s console',
        detail: `conversion 1 ${decision}`,
      },
    ]);
    const other = decision === 'happened' ? 'not_happened' : 'happened';
    expect(await settle(other)).toMatchObject(problem('conversion_conflict'));
  });

  it('is refused while its POST may still be in flight', async () => {
    const { settle, passSeconds } = await stuck({ status: 'claimed' });
    passSeconds(-490);
    expect(await settle('not_happened')).toMatchObject(problem('too_early'));
    passSeconds(490);
    expect(await settle('not_happened')).toMatchObject({ status: 200 });
  });

  it('as happened reserves the proceeds for its batch, and as not happened nothing', async () => {
    for (const [decision, amount] of [
      ['happened', '1520'],
      ['not_happened', '1010'],
    ] as const) {
      const { ledger, settle } = await stuck({ output: thb('510') });
      await settle(decision);
      expect((await ledger.readFunds(['THB']))[0]?.reservations).toEqual([{ batchId: 'b-1', amount: thb(amount) }]);
    }
  });

  it('of an unknown batch or number is a problem', async () => {
    const { ask } = await stuck();
    expect(await ask('happened', 2, 'b-1')).toMatchObject(problem('conversion_not_found'));
    expect(await ask('happened', 1, 'b-9')).toMatchObject(problem('batch_not_found'));
  });
});
