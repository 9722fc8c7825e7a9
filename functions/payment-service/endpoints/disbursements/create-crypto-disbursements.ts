import * as z from 'zod';
import { composeCryptoGroup } from '../../domain/disbursements/compose-group.ts';
import { totalOf } from '../../domain/disbursements/disbursement.ts';
import { Refused } from '../../domain/refused.ts';
import { bodyEndpoint } from '../../http/endpoint.ts';
import { anyText, batchItems, referenceAndNote, text } from '../../http/request-fields.ts';
import { enveloped } from '../../http/success.ts';
import { wireAmount, wireNumber } from '../../http/wire-json.ts';
import { createDisbursements } from '../../store/disbursements/create-disbursements.ts';
import { amount } from '../answer-fields.ts';
import { createdCryptoDisbursementSchema, createdCryptoRecord } from './disbursement-record.ts';
import { groupRefusal } from './group-refusal.ts';

const createdCryptoDisbursements = z.strictObject({
  totalReceiver: z.int(),
  disburseData: z.array(createdCryptoDisbursementSchema),
  sumFees: amount,
  sumAmount: amount,
});

const body = z
  .object({
    token: anyText,
    receivers: batchItems(
      z.object({
        amount: wireAmount,
        receiverWalletAddress: text(64),
        ...referenceAndNote,
      }),
    ),
  })
  .meta({
    examples: [
      {
        token: 'usdc-polygon',
        receivers: [
          { amount: 10, receiverWalletAddress: '0x52908400098527886E0F7030069857D2E4169EE7', reference: 'salary-8' },
        ],
      },
    ],
  });

/** POST /v1/disbursement/crypto: items in one token. All are created or none. */
export const createCryptoDisbursements = bodyEndpoint({
  route: 'POST /v1/disbursement/crypto',
  access: 'authorization',
  summary: 'Disburse one token to wallets: all items or none',
  answers: enveloped('Crypto disbursement created', createdCryptoDisbursements),
  refuses: [409, 503],
  body,
  work: async (context, { account }, request) => {
    const group = composeCryptoGroup(context.settings, request.token, request.receivers);
    if (group instanceof Refused) return group;
    const created = await createDisbursements(context, [group]);
    if (created.kind !== 'created') return groupRefusal(created);
    return {
      totalReceiver: group.items.length,
      disburseData: created.disbursements.map((one) => createdCryptoRecord(account, one)),
      sumFees: wireNumber(totalOf(group, 'fee')),
      sumAmount: wireNumber(totalOf(group, 'amount')),
    };
  },
});
