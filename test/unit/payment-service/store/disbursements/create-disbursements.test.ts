import { expect, it } from 'vitest';
import type { GroupDraft } from '../../../../../functions/payment-service/domain/disbursements/disbursement.ts';
import { Money } from '../../../../../functions/payment-service/domain/money/money.ts';
import type { Strike } from '../../../../../functions/payment-service/domain/sandbox/faults.ts';
import { createDisbursements } from '../../../../../functions/payment-service/store/disbursements/create-disbursements.ts';
import { findByReference } from '../../../../../functions/payment-service/store/disbursements/find-disbursement.ts';
import { newContext } from '../../../../support/payment-service/new-context.ts';
import { newDraft } from '../../../../support/payment-service/new-disbursement.ts';

const draft = (...references: readonly string[]): GroupDraft => ({
  rail: 'crypto',
  currency: 'usdt-tron',
  items: references.map((reference) => newDraft({ reference }, 'usdt-tron')),
});

/** An account with money for four disbursements, whose every POST is struck by these faults. */
const struckBy = (...faults: readonly string[]) => {
  const struck: string[] = [];
  const strike: Strike = async (fault, applies = () => true) => {
    if (!faults.includes(fault) || !applies({ seconds: 0 })) return undefined;
    struck.push(fault);
    return { seconds: 0 };
  };
  const openingBalance = (currency: string) => Money.of('440', currency);
  return { context: newContext({ strike, openingBalance }), struck };
};

it.each([
  ['the balance is too low', draft('a', 'b', 'c', 'd', 'e'), 'insufficient_balance'],
  ['its reference is used', draft('used'), 'reference_used'],
])('a POST that is refused because %s uses up no fault', async (_, refused, kind) => {
  const { context, struck } = struckBy('change-after-end', 'reference-twice');
  await createDisbursements(newContext({ ...context, strike: newContext().strike }), [draft('used')]);
  expect(await createDisbursements(context, [refused])).toMatchObject({ kind });
  expect(struck).toEqual([]);
});

it('change-after-end strikes a POST once, also when its disbursements are created twice', async () => {
  const { context, struck } = struckBy('change-after-end', 'reference-twice');
  const created = await createDisbursements(context, [draft('a', 'b')]);
  expect(created).toMatchObject({ kind: 'created', disbursements: [{ outcome: 'revert' }, { outcome: 'revert' }] });
  expect(await findByReference(context, 'a')).toMatchObject([{ outcome: 'revert' }, { outcome: 'revert' }]);
  expect(struck).toEqual(['change-after-end', 'reference-twice']);
});

it.each([
  [2, ['reference-twice']],
  [3, []],
])(
  'reference-twice strikes a POST of %s disbursements only if the balance covers them again',
  async (count, strikes) => {
    const { context, struck } = struckBy('reference-twice');
    const references = ['a', 'b', 'c'].slice(0, count);
    expect(await createDisbursements(context, [draft(...references)])).toMatchObject({ kind: 'created' });
    expect(struck).toEqual(strikes);
    expect(await findByReference(context, 'a')).toHaveLength(1 + strikes.length);
  },
);
