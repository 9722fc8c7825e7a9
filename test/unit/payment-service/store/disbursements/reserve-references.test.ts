import { expect, it } from 'vitest';
import { groupIdFrom } from '../../../../../functions/payment-service/domain/disbursements/disbursement-id.ts';
import { Money } from '../../../../../functions/payment-service/domain/money/money.ts';
import { createDisbursements } from '../../../../../functions/payment-service/store/disbursements/create-disbursements.ts';
import { reserveReferences } from '../../../../../functions/payment-service/store/disbursements/reserve-references.ts';
import { withLateAttempt } from '../../../../support/payment-service/late-attempt.ts';
import { newContext, newSettings } from '../../../../support/payment-service/new-context.ts';
import { newDraft } from '../../../../support/payment-service/new-disbursement.ts';

const draft = (references: readonly string[]) => ({
  rail: 'crypto' as const,
  currency: 'usdt-tron',
  items: references.map((reference) => newDraft({ reference }, 'usdt-tron')),
});

it.each([
  ['a bank transfer', 'reference_used'],
  ['an undecided POST', 'reference_in_progress'],
])('where crypto references are reusable, one of %s is refused', async (holder, kind) => {
  const context = newContext({
    settings: newSettings({ reusableCryptoReferences: true }),
    openingBalance: (currency) => Money.of('1000000', currency),
  });
  if (holder === 'a bank transfer') {
    const fiat = { rail: 'fiat' as const, currency: 'IDR', items: [newDraft({ reference: 'r-0' }, 'IDR')] };
    expect(await createDisbursements(context, [fiat])).toMatchObject({ kind: 'created' });
  } else {
    const undecided = { ...draft(['r-0']), groupId: groupIdFrom('0'.repeat(24)) };
    expect(await reserveReferences(context, [undecided])).toEqual({ kind: 'reserved' });
  }
  expect(await createDisbursements(context, [draft(['r-0'])])).toEqual({ kind, reference: 'r-0' });
});

it('where crypto references are reusable, a call with many used ones is made at once', async () => {
  let pauses = 0;
  const context = newContext({
    settings: newSettings({ reusableCryptoReferences: true }),
    openingBalance: (currency) => Money.of('1000000', currency),
    pause: async () => {
      pauses += 1;
    },
  });
  const used = Array.from({ length: 20 }, (_, index) => `r-${index}`);
  expect(await createDisbursements(context, [draft(used)])).toMatchObject({ kind: 'created' });
  expect(await createDisbursements(context, [draft([...used, 'r-new'])])).toMatchObject({ kind: 'created' });
  expect(pauses).toBeLessThan(3);
});

it.each([false, true])(
  'references reserved by an attempt given up before belong to their POST, where crypto references are reusable: %s',
  async (reusableCryptoReferences) => {
    const context = newContext({
      settings: newSettings({ reusableCryptoReferences }),
      openingBalance: (currency) => Money.of('1000000', currency),
    });
    const late = { ...context, table: withLateAttempt(context.table, 'REFERENCE#') };
    expect(await createDisbursements(late, [draft(['r-0', 'r-1'])])).toMatchObject({ kind: 'created' });
  },
);
