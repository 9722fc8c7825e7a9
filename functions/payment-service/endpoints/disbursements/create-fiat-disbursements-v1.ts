import * as z from 'zod';
import { composeFiatGroups } from '../../domain/disbursements/compose-group.ts';
import type { GroupDraft } from '../../domain/disbursements/disbursement.ts';
import { totalOf } from '../../domain/disbursements/disbursement.ts';
import { Refused } from '../../domain/refused.ts';
import { bodyEndpoint } from '../../http/endpoint.ts';
import { anyText, batchItems, referenceAndNote, text } from '../../http/request-fields.ts';
import { enveloped } from '../../http/success.ts';
import { wireAmount, wireNumber } from '../../http/wire-json.ts';
import { createDisbursements } from '../../store/disbursements/create-disbursements.ts';
import { amount } from '../answer-fields.ts';
import { fiatDisbursementSchema, fiatRecord } from './disbursement-record.ts';
import { groupRefusal } from './group-refusal.ts';

const totalsSchema = z.array(z.strictObject({ currency: z.string(), totalAmount: amount }));

const createdFiatDisbursementsV1 = z.strictObject({
  totalRecipient: z.int(),
  disburseData: z.array(fiatDisbursementSchema),
  sumFees: totalsSchema,
  sumAmount: totalsSchema,
});

const body = z
  .object({
    disburseData: batchItems(
      z.object({
        currency: anyText,
        recipientId: text(64),
        amount: wireAmount,
        ...referenceAndNote,
      }),
    ),
  })
  .meta({ examples: [{ disburseData: [{ currency: 'IDR', recipientId: 'rcp_example2', amount: 150000 }] }] });

const totals = (groups: readonly GroupDraft[], part: 'amount' | 'fee') =>
  groups.map((group) => ({ currency: group.currency, totalAmount: wireNumber(totalOf(group, part)) }));

/**
 * POST /v1/disbursement/fiat, deprecated: items in any currencies, to recipients by id. All are created or none. Each
 * currency becomes a group of its own.
 */
export const createFiatDisbursementsV1 = bodyEndpoint({
  route: 'POST /v1/disbursement/fiat',
  access: 'authorization',
  summary: 'Disburse several currencies to known recipients: all items or none',
  answers: enveloped('Disbursement created successfully', createdFiatDisbursementsV1),
  refuses: [409, 503],
  body,
  work: async (context, { account }, request) => {
    const composed = composeFiatGroups(context.settings, request.disburseData);
    if (composed instanceof Refused) return composed;
    const { groups, places } = composed;
    const created = await createDisbursements(context, groups);
    if (created.kind !== 'created') return groupRefusal(created);
    return {
      totalRecipient: request.disburseData.length,
      disburseData: created.disbursements
        .map((one, index) => ({ one, place: places[index] ?? index }))
        .toSorted((a, b) => a.place - b.place)
        .map(({ one }) => fiatRecord(account, one)),
      sumFees: totals(groups, 'fee'),
      sumAmount: totals(groups, 'amount'),
    };
  },
});
