import * as z from 'zod';
import { batchModes, invalidRowsChoices } from '../../domain/batch/batch.ts';
import { batchStatuses, isBatchEnd } from '../../domain/batch/batch-status.ts';
import { payoutStatuses } from '../../domain/payout/payout-status.ts';
import { reportNames } from '../../ports/files.ts';
import { conversionView, fundingView } from './funding.ts';
import { amount, count, currency, rail, tally } from './money.ts';
import { payoutStatus, reason, wayOut } from './payout.ts';
import { controlTotals } from './start-batch.ts';
import { exampleBatch, exampleHash, optionalText, text, time } from './text.ts';

const batchId = text('Also the name of its first execution.', exampleBatch);

export const batchStatus = z.enum(batchStatuses).meta({
  id: 'BatchStatus',
  description:
    'Ends: `validation_failed`, `previewed`, `completed` (every row of the file is paid), `partially_completed`, `failed`, `canceled`.',
  example: 'processing',
});

export const batchSummary = z
  .strictObject({
    batchId,
    status: batchStatus,
    reason: reason.exactOptional(),
    since: time,
    mode: z.enum(batchModes),
    invalidRows: z.enum(invalidRowsChoices),
    allowSameFile: z.boolean(),
    approvalRequired: z.literal(true).exactOptional().meta({ description: 'The start asked for approval.' }),
    startAt: optionalText('The start time, as requested.', '2026-01-25T09:00:00+07:00'),
    canary: count.exactOptional().meta({ description: 'Number of rows that are paid before the others.', example: 5 }),
    pauseAbove: count.exactOptional().meta({
      description: 'The batch pauses when more than this percentage of ended payouts was not paid.',
      example: 5,
    }),
    expect: controlTotals.exactOptional(),
    corrects: optionalText('The batch whose refused or skipped rows its file corrects.'),
    correctedBy: z.array(z.string()).exactOptional().meta({
      description:
        'Batches whose plan pays corrected rows of this one, oldest first, including corrections of corrections. Excludes previews, and files that their plan refused. Some may have ended unpaid since.',
    }),
    file: z.strictObject({ key: z.string(), versionId: z.string(), bytes: z.int() }).meta({
      description: 'The version of the payout file that the batch is pinned to.',
      example: { key: 'uploads/salaries.csv', versionId: '3sL4kqtJlcpXroDTDmJ.rmSpXd3dIbrH', bytes: 18_432 },
    }),
    createdAt: time,
    createdBy: text('IAM principal.', 'arn:aws:iam::123456789012:user/operator'),
    cancelRequestedAt: time.exactOptional(),
    executions: z.array(z.strictObject({ name: z.string(), consoleUrl: z.string() })).meta({
      description: 'Where to watch its workflow in the AWS console, oldest first.',
      example: [{ name: exampleBatch, consoleUrl: 'https://console.aws.amazon.com/states/home' }],
    }),
  })
  .meta({ id: 'BatchSummary', description: 'A batch, without the data that must be read from every chunk.' });
export type BatchSummary = z.infer<typeof batchSummary>;

const rowError = z
  .strictObject({
    row: z.int(),
    line: z.int().exactOptional().meta({
      description: 'The line of the file where the row begins, counted from 1 as in an editor. Absent when unknown.',
    }),
    reference: optionalText('The reference of the row. Absent when it has no valid one.'),
    column: z.string(),
    code: z.string(),
    message: z.string(),
  })
  .meta({
    description: 'An error in a row. Row 0 is the file itself.',
    example: {
      ...{ row: 3, line: 4, reference: 'salary-0003', column: 'amount', code: 'amount_zero' },
      message: 'The amount is zero.',
    },
  });

const currencyProgress = z
  .strictObject({
    rail,
    currency,
    planned: z.strictObject({ count, amount }).meta({ description: 'Valid rows of the file.' }),
    statuses: z.partialRecord(z.enum(payoutStatuses), tally).meta({
      description: 'Counts and sums by payout status. Planned payouts that are not registered yet count as `ready`.',
      example: { completed: { count: 98, amount: '14700000', fee: '392000' } },
    }),
    feeEstimated: amount.meta({
      description:
        'Fees of the valid rows, as estimated for the batch. Before that estimate, by the payment methods, which may differ.',
    }),
    feeActual: amount.meta({
      description:
        'Fees charged for payouts that are made or under way, by their status. A failed payout counts as refunded, fee included, even when it was written off or is contradicted. `results.csv` has those fees. A payout for which the provider reports no fee counts as 0.',
    }),
    feeBeyondEstimate: z.boolean().meta({
      description:
        'True when the fees exceed the estimate by more than `feeTolerancePercent`. `attention` then says so too.',
      example: false,
    }),
  })
  .meta({ id: 'CurrencyProgress', description: 'Progress of the payouts of one currency.' });
export type CurrencyProgress = z.infer<typeof currencyProgress>;

const finding = z.strictObject({
  code: z.string().meta({ example: 'approval_above' }),
  message: z.string(),
  rows: count.meta({ description: 'Number of affected rows; 0 when it concerns the whole batch.' }),
  against: text('The limit or record that it was compared with.', 'approvalAbove 1000000 IDR'),
  mayBeReleased: z.boolean().meta({ description: 'True when a person may release the batch despite it.' }),
});

const approved = z.strictObject({ by: z.string(), at: time, reason: z.string() });

const approvalView = z
  .strictObject({
    hash: text(
      'Hash of file, plan, fees, funding, findings and the conversions so far. An approval is for this hash.',
      exampleHash,
    ),
    findings: z.array(finding),
    why: z.enum(['findings', 'request', 'setting']).meta({
      description: '`request`: the start asked for approval. `setting`: every batch needs approval.',
    }),
    expiresAt: time
      .exactOptional()
      .meta({ description: 'Absent when nobody is asked: in a preview, or when nobody may release the batch.' }),
    approved: approved.exactOptional(),
  })
  .meta({
    id: 'Approval',
    description: 'What a person must approve or has approved. In a preview, what a person would have to approve.',
  });

const action = z.enum(['pause', 'resume', 'approve', 'reject', 'cancel']);
export type Action = z.infer<typeof action>;
export const reportName = z.enum(reportNames);

export const attention = wayOut
  .extend({
    count: count
      .exactOptional()
      .meta({ description: 'Number of payouts; for `rows_skipped`, number of rows of the file.', example: 2 }),
    since: time.exactOptional().meta({
      description:
        'Since when the first of these waits. For `proofs_missing` and `report_outdated`, when the reports were written.',
    }),
  })
  .meta({
    id: 'Attention',
    description: 'Something that waits for a person, or that a person should know of. `message` says which.',
  });
export type Attention = z.infer<typeof attention>;

const planView = z.strictObject({
  rows: count,
  validRows: count,
  invalidRows: count,
  chunks: count,
  errors: z.array(rowError).meta({ description: 'The first 100; all of them are in errors.csv.' }),
});

const timelineLine = z.strictObject({
  at: time,
  code: z.string(),
  by: text('IAM principal, or `system`.'),
  detail: z.string().exactOptional(),
  note: optionalText('The reason that the operator gave.'),
});

const triedAgainBatch = z.strictObject({
  batchId,
  status: batchStatus,
  payouts: count.meta({ description: 'Payouts of this batch in its file. Other retries may have the same ones.' }),
  paid: count.meta({ description: 'How many of these it has paid, by its last report.' }),
});

export const batchView = batchSummary
  .extend({
    plan: planView.exactOptional(),
    countsAsOf: time.meta({
      description:
        'The time of counts, sums, proofs and `attention`: at most five seconds ago. Later changes may be missing.',
    }),
    counts: z.partialRecord(payoutStatus, count).meta({
      description: 'Payouts by status, over all currencies.',
      example: { completed: 200, failed: 4, on_hold: 1 },
    }),
    skippedRows: count.meta({
      description:
        'Invalid rows of a file whose other rows are paid. This batch pays nobody for them. Other batches may have paid some.',
      example: 0,
    }),
    currencies: z.array(currencyProgress),
    funding: fundingView
      .exactOptional()
      .meta({ description: 'Money required and available when the funding was planned.' }),
    approval: approvalView.exactOptional(),
    conversions: z.array(conversionView),
    proofs: z
      .strictObject({
        archived: count,
        expected: count,
        note: optionalText('Why there are no proofs.', 'The provider gives no transfer proofs.'),
        request: optionalText(
          'Send this request to get them as a ZIP, in parts. Absent while none is archived.',
          'POST /batches/b-01jgfjjz00e5x7b6nrw2m8k4vd/proofs',
        ),
      })
      .meta({
        description: 'Archived transfer proofs, and completed bank transfers. Proofs are not listed in `files`.',
        example: { archived: 150, expected: 150, request: 'POST /batches/b-01jgfjjz00e5x7b6nrw2m8k4vd/proofs' },
      }),
    attention: z
      .array(attention)
      .meta({ description: 'What waits for a person, or may surprise one, and what to do about it.' }),
    timeline: z.array(timelineLine).meta({
      description:
        'The audit trail: who did what, when and why. The newest 25 lines of the timeline, and the newest 10 contradictions by the provider. A page of older lines has no contradictions.',
    }),
    cursor: optionalText(
      'Send it back for older lines. Absent when there are none.',
      'eyJhdCI6IjIwMjYtMDEtMDVUMDk6MDA6MDAuMDAwWiMwMUoifQ',
    ),
    reports: z
      .strictObject({
        writtenAt: time,
        openRows: count.meta({
          description:
            'Rows that were open when interim reports were written. 0 in final ones, whatever is still open.',
        }),
        interim: z.boolean().meta({ description: 'True when they are written again at the end of the batch.' }),
      })
      .exactOptional()
      .meta({ description: 'The state of results.csv, retry.csv or .xlsx, evidence.json and pain-002.xml.' }),
    triedAgain: z.array(triedAgainBatch).exactOptional().meta({
      description:
        'Batches that retry or have retried payouts of this one, oldest first. At most the newest 100. Absent while there are none.',
    }),
    files: z
      .array(reportName)
      .meta({ description: 'Files that have a download link.', example: ['results.csv', 'evidence.json'] }),
    actions: z.array(action).meta({ description: 'What an operator can do next.', example: ['pause', 'cancel'] }),
  })
  .meta({ id: 'Batch', description: 'Everything about a batch, except its payouts.' });
export type BatchView = z.infer<typeof batchView>;

/** True when nothing more happens to the batch by itself. */
export const hasEnded = ({ status }: Pick<BatchSummary, 'status'>): boolean => isBatchEnd(status);

export const batchPage = z
  .strictObject({
    batches: z.array(batchSummary),
    cursor: optionalText(
      'Send it back with the same `day` and `status` for the next page. Absent on the last one.',
      'eyJkYXkiOiIyMDI2LTAxLTA1In0',
    ),
  })
  .meta({
    id: 'BatchPage',
    description: 'Batches, newest first. A page may hold fewer than asked for, even none, and still have a cursor.',
  });
