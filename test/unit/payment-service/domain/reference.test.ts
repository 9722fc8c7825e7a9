import { describe, expect, it } from 'vitest';
import { checkoutIdFrom } from '../../../../functions/payment-service/domain/deposits/checkout.ts';
import { depositIdFrom } from '../../../../functions/payment-service/domain/deposits/deposit.ts';
import {
  disbursementIdAt,
  groupIdFrom,
} from '../../../../functions/payment-service/domain/disbursements/disbursement-id.ts';
import { isReservedReference } from '../../../../functions/payment-service/domain/reference.ts';
import { everyEndpoint } from '../../../../functions/payment-service/endpoints/by-function.ts';
import { reference } from '../../../../functions/payment-service/http/request-fields.ts';

/** The literal segments after the resource in the paths of deposits and disbursements. */
const pathWords = new Set(
  Object.values(everyEndpoint()).flatMap(({ path }) => {
    const [, , resource = '', ...behind] = path.split('/');
    return ['deposit', 'disbursement'].includes(resource) ? behind.filter((part) => !part.startsWith(':')) : [];
  }),
);
const hex = '0123456789abcdef0123456789abcdef';

describe('a reference that cannot be looked up is refused:', () => {
  it.each([...pathWords].flatMap((word) => [word, word.toUpperCase()]))('the path word %s', (word) => {
    expect(reference.safeParse(word).error?.issues[0]?.message).toMatch(/^must not be a word of the API’s paths/);
  });

  it.each([depositIdFrom(hex.slice(0, 24)), checkoutIdFrom(hex), disbursementIdAt(groupIdFrom(hex.slice(0, 24)), 7)])(
    'the id %s',
    (id) => {
      expect(reference.safeParse(id).success).toBe(false);
    },
  );

  it.each(['report-7', 'my-estimate', 'dep_1', 'dep_7f', `ref_${hex}`, 'payment-methods'])('but not %s', (given) => {
    expect(isReservedReference(given)).toBe(false);
    expect(reference.safeParse(given).success).toBe(true);
  });
});
