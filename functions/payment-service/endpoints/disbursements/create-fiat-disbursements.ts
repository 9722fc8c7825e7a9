import * as z from 'zod';
import { composeFiatGroup } from '../../domain/disbursements/compose-group.ts';
import { totalOf } from '../../domain/disbursements/disbursement.ts';
import { Refused } from '../../domain/refused.ts';
import { bodyEndpoint } from '../../http/endpoint.ts';
import { anyText, batchItems, line, referenceAndNote, text } from '../../http/request-fields.ts';
import { enveloped } from '../../http/success.ts';
import { wireAmount, wireNumber } from '../../http/wire-json.ts';
import { createDisbursements } from '../../store/disbursements/create-disbursements.ts';
import { amount } from '../answer-fields.ts';
import { fiatDisbursementSchema, fiatRecord } from './disbursement-record.ts';
import { groupRefusal } from './group-refusal.ts';

const createdFiatDisbursements = z.strictObject({
  totalRecipient: z.int(),
  disburseData: z.array(fiatDisbursementSchema),
  sumFees: amount,
  sumAmount: amount,
});

const bank = z.object({
  bankName: line(120),
  accountName: line(140),
  /** 34 is the maximum length of an IBAN. */
  accountNumber: anyText.regex(/^[A-Za-z0-9-]{4,34}$/, 'must be 4 to 34 letters, digits or hyphens'),
  bankCode: text(40),
});

const body = z
  .object({
    currency: anyText,
    disburseData: batchItems(
      z
        .object({
          recipientId: text(64).optional(),
          recipient: z.object({ email: text(254).optional(), name: line(140).optional(), bank }).optional(),
          amount: wireAmount,
          ...referenceAndNote,
        })
        .meta({ oneOf: [{ required: ['recipientId'] }, { required: ['recipient'] }] }),
    ),
  })
  .meta({
    examples: [
      { currency: 'PHP', disburseData: [{ recipientId: 'rcp_example1', amount: 250.5, reference: 'salary-7' }] },
    ],
  });

/** POST /v2/disbursement/fiat: items in one currency. All are created or none. */
export const createFiatDisbursements = bodyEndpoint({
  route: 'POST /v2/disbursement/fiat',
  access: 'authorization',
  summary: 'Disburse one currency to bank accounts: all items or none',
  answers: enveloped('Disbursement created successfully', createdFiatDisbursements),
  refuses: [409, 503],
  body,
  work: async (context, { account }, request) => {
    const group = composeFiatGroup(context.settings, request.currency, request.disburseData);
    if (group instanceof Refused) return group;
    const created = await createDisbursements(context, [group]);
    if (created.kind !== 'created') return groupRefusal(created);
    return {
      totalRecipient: group.items.length,
      disburseData: created.disbursements.map((one) => fiatRecord(account, one)),
      sumFees: wireNumber(totalOf(group, 'fee')),
      sumAmount: wireNumber(totalOf(group, 'amount')),
    };
  },
});
