import * as z from 'zod';
import type { CurrencyPlan, PlanSummary } from '../../domain/batch/plan.ts';
import { Money } from '../../domain/money/money.ts';
import { tallyInText, tallyOfText } from '../../domain/money/money-records.ts';
import { once } from '../../domain/once.ts';
import { payoutStatuses } from '../../domain/payout/payout-status.ts';
import { counter, decimalText, rail, storedTally } from '../table/schemas.ts';

/** Number of payouts retried, by their original batch. */
export const retryCounts = once(() => z.array(z.object({ batchId: z.string(), payouts: counter() })));
const hashedFile = once(() => z.object({ key: z.string(), sha256: z.string() }));

const initiation = once(() =>
  z.object({
    message: z.enum(['pain.001.001.03', 'pain.001.001.09']),
    messageId: z.string(),
    createdAt: z.string(),
    count: z.string(),
    sum: z.string(),
    instructions: hashedFile().exactOptional(),
    statusReportKey: z.string().exactOptional(),
  }),
);

const currencyPlan = once(() =>
  storedTally()
    .extend({
      rail: rail(),
      currency: z.string(),
      largestAmount: decimalText(),
      methods: z.array(storedTally().extend({ method: z.string() })),
    })
    .transform(
      ({ currency, methods, largestAmount, ...of }): CurrencyPlan => ({
        rail: of.rail,
        currency,
        ...tallyOfText(currency, of),
        largestAmount: Money.of(largestAmount, currency),
        methods: methods.map(({ method, ...tally }) => ({ method, ...tallyOfText(currency, tally) })),
      }),
    ),
);

/** A batch's plan, as its item stores it. */
export const plan = once(() =>
  z.object({
    prefix: z.string(),
    manifestKey: z.string().exactOptional(),
    hasNoProofs: z.literal(true).exactOptional(),
    sealKey: z.string(),
    sha256: z.string().exactOptional(),
    isWorkbook: z.literal(true).exactOptional(),
    chunks: counter(),
    canaryChunks: counter().exactOptional(),
    rows: counter(),
    validRows: counter(),
    invalidRows: counter(),
    alreadyPaid: z
      .object({ rows: counter(), batches: z.array(z.string()), lastOn: z.string().exactOptional() })
      .exactOptional(),
    errors: z.array(
      z.object({
        row: counter(),
        line: counter().exactOptional(),
        reference: z.string().exactOptional(),
        column: z.string(),
        code: z.string(),
        message: z.string(),
      }),
    ),
    errorsFile: hashedFile().exactOptional(),
    toCorrectKey: z.string().exactOptional(),
    currencies: z.array(currencyPlan()),
    extraColumns: z.array(z.string()).exactOptional(),
    initiation: initiation().exactOptional(),
    repeatedDebts: z
      .object({
        rows: counter(),
        ofCorrected: counter().exactOptional(),
        ofPaid: z.object({ rows: counter(), batches: z.array(z.string()) }).exactOptional(),
        list: hashedFile(),
        first: z.array(
          z.object({
            row: counter(),
            reference: z.string(),
            earlierBatchId: z.string(),
            earlierRow: counter(),
            earlierReference: z.string().exactOptional(),
            earlierStatus: z.enum(payoutStatuses).exactOptional(),
            earlierProof: z.string().exactOptional(),
          }),
        ),
      })
      .exactOptional(),
    alsoCorrectedBy: z.array(z.string()).exactOptional(),
    retries: retryCounts().exactOptional(),
  }),
);

export const planItem = ({ currencies, ...of }: PlanSummary): Readonly<Record<string, unknown>> => ({
  ...of,
  currencies: currencies.map(({ largestAmount, methods, ...planned }) => ({
    ...planned,
    ...tallyInText(planned),
    largestAmount: largestAmount.amount,
    methods: methods.map(({ method, ...tally }) => ({ method, ...tallyInText(tally) })),
  })),
});
