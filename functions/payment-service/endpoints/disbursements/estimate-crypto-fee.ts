import * as z from 'zod';
import { cryptoPaymentMethodOf, unknownMethodMessage } from '../../domain/disbursements/payment-methods.ts';
import { chargeOf, tooManyDecimals } from '../../domain/money/fees-and-limits.ts';
import { Money } from '../../domain/money/money.ts';
import { Refused } from '../../domain/refused.ts';
import { queryEndpoint } from '../../http/endpoint.ts';
import { enveloped } from '../../http/success.ts';
import { queryAmount, wireNumber } from '../../http/wire-json.ts';
import { amount } from '../answer-fields.ts';

const cryptoFeeEstimate = z.strictObject({ token: z.string(), amount, fee: amount });

/** GET /v1/disbursement/crypto/estimate: the fee of a disbursement, which is added to its amount. */
export const estimateCryptoFee = queryEndpoint({
  route: 'GET /v1/disbursement/crypto/estimate',
  access: 'signed',
  summary: 'Get the fee of a crypto disbursement',
  answers: enveloped('Crypto disbursement estimated', cryptoFeeEstimate),
  // The public document types the amount as an integer. Decimals are accepted too, because disbursements have them.
  query: z.object({ token: z.string({ error: 'is required' }).min(1), amount: queryAmount }),
  work: async (_context, _call, { token, amount }) => {
    const method = cryptoPaymentMethodOf(token);
    if (method === undefined) return new Refused(unknownMethodMessage(token));
    const paid = Money.of(amount, token);
    const tooFine = tooManyDecimals('amount', paid);
    if (tooFine !== undefined) return new Refused(tooFine);
    return { token, amount: wireNumber(paid), fee: wireNumber(chargeOf(method, paid)) };
  },
});
