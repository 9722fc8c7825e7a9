import type { Batch, BatchEvent, Conversion } from '../../domain/batch.ts';
import type { ChunkRecord } from '../../domain/chunk.ts';
import { contradictedEvent } from '../../domain/contradiction.ts';
import type { Clock } from '../../ports/environment.ts';
import type { ReportName } from '../../ports/files.ts';
import { reportNames } from '../../ports/files.ts';
import type { Workflow } from '../../ports/workflow.ts';
import { allowedActions } from '../control/allowed-actions.ts';
import { proofsArchived, proofsExpected, unsettledOf } from '../control/unsettled.ts';
import type { BatchView, ConversionView } from '../schemas/batch.ts';
import { summarizeBatch, viewReason } from './batch-summary.ts';
import { countByStatus, describeCurrencies } from './currency-progress.ts';
import { attentionTo } from './way-out.ts';

/** Everything the ledger holds of a batch beside its payouts. */
export interface BatchRecords {
  readonly batch: Batch;
  readonly chunks: readonly ChunkRecord[];
  readonly conversions: readonly Conversion[];
  readonly events: readonly BatchEvent[];
}

/** S3 key of a batch's file; undefined while, or because, there is none. */
export const fileKey = (batch: Batch, name: ReportName): string | undefined => {
  switch (name) {
    case 'errors.csv':
      return batch.plan?.errorsKey;
    case 'results.csv':
      return batch.report?.resultsKey;
    case 'retry.csv':
      return batch.report?.retryKey;
    case 'evidence.json':
      return batch.report?.evidenceKey;
  }
};

export const viewConversion = (conversion: Conversion): ConversionView => ({
  n: conversion.n,
  status: conversion.status,
  inputCurrency: conversion.planned.inputCurrency,
  outputCurrency: conversion.planned.outputCurrency,
  plannedInputAmount: conversion.planned.inputAmount,
  plannedOutputAmount: conversion.planned.outputAmount,
  rate: conversion.planned.rate,
  ...(conversion.inputAmount === undefined ? {} : { inputAmount: conversion.inputAmount }),
  ...(conversion.outputAmount === undefined ? {} : { outputAmount: conversion.outputAmount }),
  ...(conversion.fee === undefined ? {} : { fee: conversion.fee }),
  ...(conversion.convertId === undefined ? {} : { convertId: conversion.convertId }),
  inputBalanceBefore: conversion.inputBalanceBefore,
  outputBalanceBefore: conversion.outputBalanceBefore,
  ...viewReason(conversion.reason),
  claimedAt: conversion.claimedAt,
  ...(conversion.endedAt === undefined ? {} : { endedAt: conversion.endedAt }),
});

const viewFunding = (batch: Batch): Pick<BatchView, 'funding'> =>
  batch.funding === undefined
    ? {}
    : {
        funding: {
          plannedAt: batch.funding.plannedAt,
          currencies: batch.funding.currencies.map((item) => ({
            currency: item.currency,
            required: item.required,
            balance: item.balance,
            reservedByOthers: item.reservedByOthers,
            shortfall: item.shortfall,
          })),
          conversions: batch.funding.conversions.map((item) => ({
            inputCurrency: item.inputCurrency,
            inputAmount: item.inputAmount,
            outputCurrency: item.outputCurrency,
            outputAmount: item.outputAmount,
            fee: item.fee,
            rate: item.rate,
          })),
        },
      };

const viewPlan = ({ plan }: Batch): Pick<BatchView, 'plan'> => {
  if (plan === undefined) return {};
  const errors = plan.errors.map(({ row, column, code, message }) => ({ row, column, code, message }));
  const { rows, validRows, invalidRows, chunks } = plan;
  return { plan: { rows, validRows, invalidRows, chunks, errors } };
};

/**
 * Lines that the provider's contradictions may fill of the timeline that is answered: a bank may return a whole payroll, and an
 * answer of a Lambda function has 6 MB at most. All of them are in the ledger, and each is at its payout.
 */
const contradictionsTold = 200;

/** The timeline, with the last so many of the lines that nobody but the provider wrote. */
const tellTimeline = (events: readonly BatchEvent[]): readonly BatchEvent[] => {
  const told = new Set(events.filter(({ code }) => code === contradictedEvent).slice(-contradictionsTold));
  return events.filter((event) => event.code !== contradictedEvent || told.has(event));
};

/** A batch as the API shows it when asked for it, at this time. */
export const viewBatch = (
  { workflow, clock }: { readonly workflow: Pick<Workflow, 'consoleUrl'>; readonly clock: Clock },
  { batch, chunks, conversions, events }: BatchRecords,
): BatchView => {
  const currencies = describeCurrencies(batch, chunks);
  return {
    ...summarizeBatch(workflow, batch),
    ...viewPlan(batch),
    counts: countByStatus(currencies),
    currencies,
    ...viewFunding(batch),
    conversions: conversions.map(viewConversion),
    proofs: { archived: proofsArchived(chunks), expected: proofsExpected(chunks) },
    attention: attentionTo(batch, chunks, conversions, clock()),
    timeline: tellTimeline(events).map(({ at, code, by, detail, note }) => ({
      at,
      code,
      by,
      ...(detail === undefined ? {} : { detail }),
      ...(note === undefined ? {} : { note }),
    })),
    files: reportNames.filter((name) => fileKey(batch, name) !== undefined),
    actions: allowedActions(batch, unsettledOf(batch, chunks)),
  };
};
