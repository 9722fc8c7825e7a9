import { expect, it } from 'vitest';
import { Money } from '../../../../../functions/payment-service/domain/money/money.ts';
import { createDisbursements } from '../../../../../functions/payment-service/store/disbursements/create-disbursements.ts';
import { newContext, newSettings } from '../../../../support/payment-service/new-context.ts';
import { newDraft } from '../../../../support/payment-service/new-disbursement.ts';

const draft = (references: readonly string[]) => ({
  rail: 'crypto' as const,
  currency: 'usdt-tron',
  items: references.map((reference) => newDraft({ reference }, 'usdt-tron')),
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
