import * as z from 'zod';
import { batchStatuses, isBatchEnd } from '../../domain/batch/batch-status.ts';
import { payoutStatuses } from '../../domain/payout/payout-status.ts';
import { reportNames } from '../../ports/files.ts';
import { conversionView, fundingView } from './funding.ts';
import { amount, count, currency, rail, tally } from './money.ts';
import { payoutStatus, reason, wayOut } from './payout.ts';
import { controlTotals } from './start-batch.ts';
import { time } from './time.ts';

const batchId = z
  .string()
  .meta({ description: 'Also the name of its first execution.', example: 'b-01jgfjjz00e5x7b6nrw2m8k4vd' });

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
    mode: z.enum(['disburse', 'preview']),
    invalidRows: z.enum(['reject', 'skip']),
    allowSameFile: z.boolean(),
    approvalRequired: z.literal(true).exactOptional().meta({ description: 'The start asked for approval.' }),
    startAt: z.string().exactOptional().meta({
      description: 'When it starts, or started, as it was given.',
      example: '2026-01-25T09:00:00+07:00',
    }),
    canary: count.exactOptional().meta({ description: 'Rows that are paid before the others.', example: 5 }),
    pauseAbove: count.exactOptional().meta({
      description: 'It pauses when more than so many percent of the payouts that ended were not paid.',
      example: 5,
    }),
    expect: controlTotals.exactOptional(),
    corrects: z
      .string()
      .exactOptional()
      .meta({ description: 'The batch whose refused or skipped rows its file corrects.' }),
    correctedBy: z.array(z.string()).exactOptional().meta({
      description:
        'The batches that pay rows of this one, mended, oldest first, also through a correction of a correction. Previews and refused files are not among them.',
    }),
    file: z.strictObject({ key: z.string(), versionId: z.string(), bytes: z.int() }).meta({
      description: 'The version of the payout file that the batch is pinned to.',
      example: { key: 'uploads/salaries.csv', versionId: '3sL4kqtJlcpXroDTDmJ.rmSpXd3dIbrH', bytes: 18_432 },
    }),
    createdAt: time,
    createdBy: z.string().meta({ description: 'IAM principal.', example: 'arn:aws:iam::123456789012:user/operator' }),
    cancelRequestedAt: time.exactOptional(),
    executions: z.array(z.strictObject({ name: z.string(), consoleUrl: z.string() })).meta({
      description: 'Where to watch its workflow in the AWS console, oldest first.',
      example: [{ name: 'b-01jgfjjz00e5x7b6nrw2m8k4vd', consoleUrl: 'https://console.aws.amazon.com/states/home' }],
    }),
  })
  .meta({ id: 'BatchSummary', description: 'A batch, without what it takes a look at every chunk to tell.' });
export type BatchSummary = z.infer<typeof batchSummary>;

const rowError = z
  .strictObject({
    row: z.int(),
    line: z.int().exactOptional().meta({
      description: 'Of the file, from 1, as an editor counts them: where the row begins. Absent where it is not known.',
    }),
    reference: z.string().exactOptional().meta({ description: 'Of the row; absent where it has no sound one.' }),
    column: z.string(),
    code: z.string(),
    message: z.string(),
  })
  .meta({
    description: 'What is wrong with a row; row 0 is the file itself.',
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
    feeEstimated: amount,
    feeActual: amount.meta({
      description:
        'Charged for payouts made or under way, by their status. A failed one counts as refunded with its fee, also where it was written off or is contradicted: `results.csv` has those fees.',
    }),
    feeBeyondEstimate: z.boolean().meta({
      description: 'Charged beyond the estimate by more than `feeTolerancePercent`. It is told in `attention` too.',
      example: false,
    }),
  })
  .meta({ id: 'CurrencyProgress', description: 'How the payouts of one currency stand.' });
export type CurrencyProgress = z.infer<typeof currencyProgress>;

const approvalView = z
  .strictObject({
    hash: z.string().meta({
      description: 'Of file, plan, fees, funding and findings: what an approval is for.',
      example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    }),
    findings: z.array(
      z.strictObject({
        code: z.string().meta({ example: 'approval_above' }),
        message: z.string(),
        rows: count.meta({ description: 'Rows that it is about; 0 for the batch as a whole.' }),
        against: z.string().meta({
          description: 'What it was held against.',
          example: 'approvalAbove 1000000 IDR',
        }),
        mayBeReleased: z.boolean().meta({ description: 'Whether a person may release the batch all the same.' }),
      }),
    ),
    why: z.enum(['findings', 'request', 'setting']).meta({
      description: '`request`: the start asked for approval. `setting`: every batch is approved.',
    }),
    expiresAt: time.exactOptional().meta({ description: 'Absent where nobody is asked, as in a preview.' }),
    approved: z.strictObject({ by: z.string(), at: time, reason: z.string() }).exactOptional(),
  })
  .meta({ id: 'Approval', description: 'What a person is asked to approve, or was; of a preview, what would be.' });

export const action = z.enum(['pause', 'resume', 'approve', 'reject', 'cancel']);
export type Action = z.infer<typeof action>;
export const reportName = z.enum(reportNames);

export const attention = wayOut
  .extend({
    count: count
      .exactOptional()
      .meta({ description: 'Of so many payouts; of `rows_skipped` so many rows of the file.', example: 2 }),
    since: time.exactOptional().meta({
      description:
        'Since when the first of these waits; of `proofs_missing` and `report_outdated` when the reports were written.',
    }),
  })
  .meta({ id: 'Attention', description: 'Something that waits for a person.' });
export type Attention = z.infer<typeof attention>;

export const batchView = batchSummary
  .extend({
    plan: z
      .strictObject({
        rows: count,
        validRows: count,
        invalidRows: count,
        chunks: count,
        errors: z.array(rowError).meta({ description: 'The first 100; all of them are in errors.csv.' }),
      })
      .exactOptional(),
    countsAsOf: time.meta({
      description:
        'As of when counts, sums, proofs and `attention` are: at most five seconds old. What changed since may be missing.',
    }),
    counts: z.partialRecord(payoutStatus, count).meta({
      description: 'Payouts by status, over all currencies.',
      example: { completed: 200, failed: 4, on_hold: 1 },
    }),
    skippedRows: count.meta({
      description: 'Invalid rows of a file whose other rows are paid. Nobody is paid for them.',
      example: 0,
    }),
    currencies: z.array(currencyProgress),
    funding: fundingView
      .exactOptional()
      .meta({ description: 'What was needed and there when the funding was planned.' }),
    approval: approvalView.exactOptional(),
    conversions: z.array(conversionView),
    proofs: z
      .strictObject({
        archived: count,
        expected: count,
        note: z
          .string()
          .exactOptional()
          .meta({ description: 'Why there are none.', example: 'The provider gives no transfer proofs.' }),
        request: z.string().exactOptional().meta({
          description: 'Sent, it answers a ZIP of them, in parts. Absent while none is archived.',
          example: 'POST /batches/b-01jgfjjz00e5x7b6nrw2m8k4vd/proofs',
        }),
      })
      .meta({
        description: 'Transfer proofs archived, and completed bank transfers. They are no part of `files`.',
        example: { archived: 150, expected: 150, request: 'POST /batches/b-01jgfjjz00e5x7b6nrw2m8k4vd/proofs' },
      }),
    attention: z.array(attention).meta({ description: 'What waits for a person, and what to do about it.' }),
    timeline: z
      .array(
        z.strictObject({
          at: time,
          code: z.string(),
          by: z.string().meta({ description: 'IAM principal, or `system`.' }),
          detail: z.string().exactOptional(),
          note: z.string().exactOptional().meta({ description: 'Why, in the words of whoever did it.' }),
        }),
      )
      .meta({
        description:
          'The audit trail: who did what, when and why. The newest 25 lines, and with them the newest 10 of what the provider contradicts.',
      }),
    cursor: z.string().exactOptional().meta({
      description: 'Give it back for the lines of the timeline before these; absent when there are none.',
      example: 'eyJhdCI6IjIwMjYtMDEtMDVUMDk6MDA6MDAuMDAwWiMwMUoifQ',
    }),
    reports: z
      .strictObject({
        writtenAt: time,
        openRows: count.meta({
          description: 'Rows that were open when the reports were written; 0 in the final ones.',
        }),
        interim: z.boolean().meta({ description: 'They are written again when the batch ends.' }),
      })
      .exactOptional()
      .meta({ description: 'Of results.csv, retry.csv or .xlsx, evidence.json and pain-002.xml.' }),
    triedAgain: z
      .array(
        z.strictObject({
          batchId,
          status: batchStatus,
          payouts: count.meta({ description: 'Of this batch that its file has. Others may have the same.' }),
          paid: count.meta({ description: 'Of these it has paid, by its last report.' }),
        }),
      )
      .exactOptional()
      .meta({
        description:
          'The batches that try payouts of this one again, or have, oldest first; the newest 100. Absent while there is none.',
      }),
    files: z
      .array(reportName)
      .meta({ description: 'Files a link can be asked for.', example: ['results.csv', 'evidence.json'] }),
    actions: z.array(action).meta({ description: 'What an operator can do next.', example: ['pause', 'cancel'] }),
  })
  .meta({ id: 'Batch', description: 'All that is known of a batch.' });
export type BatchView = z.infer<typeof batchView>;

/** True when nothing more happens to the batch by itself. */
export const hasEnded = ({ status }: Pick<BatchSummary, 'status'>): boolean => isBatchEnd(status);

export const batchPage = z
  .strictObject({
    batches: z.array(batchSummary),
    cursor: z.string().exactOptional().meta({
      description: 'Give it back with the same `day` and `status` for more; absent when there is no more.',
      example: 'eyJkYXkiOiIyMDI2LTAxLTA1In0',
    }),
  })
  .meta({
    id: 'BatchPage',
    description: 'Batches, newest first. A page may hold fewer than asked for, even none, and still have a cursor.',
  });
export type BatchPage = z.infer<typeof batchPage>;

export const fileLink = z
  .strictObject({
    url: z.string().meta({
      description: 'A presigned address: whoever has it can read the file.',
      example: 'https://bucket.s3.amazonaws.com/results.csv?X-Amz-Signature=0',
    }),
    expiresAt: time,
  })
  .meta({ id: 'FileLink' });
export type FileLink = z.infer<typeof fileLink>;

export const proofLink = fileLink
  .extend({
    sha256: z.string().meta({
      description: 'Of the PDF, in hex, as it was archived.',
      example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    }),
    bytes: z.int().meta({ example: 2048 }),
  })
  .meta({ id: 'ProofLink' });
export type ProofLink = z.infer<typeof proofLink>;

export const proofArchive = fileLink
  .extend({
    name: z.string().meta({
      description: 'What to call it: by its batch, and by its first row when it has not all.',
      example: 'proofs-b-01jgfjjz00e5x7b6nrw2m8k4vd.zip',
    }),
    asOf: time.meta({ description: 'What was archived later is not in it.', example: '2026-01-05T10:00:00.000Z' }),
    proofs: count.meta({ description: 'PDFs in this part. Its `index.csv` says what each is of.', example: 98 }),
    altered: count.exactOptional().meta({
      description: 'Proofs that are left out, since somebody changed their files; `index.csv` names them.',
      example: 1,
    }),
    cursor: z.string().exactOptional().meta({
      description: 'Give it back for the next part; absent on the last one.',
      example: 'eyJjaHVuayI6MSwicm93Ijo5OH0',
    }),
  })
  .meta({ id: 'ProofArchive', description: 'A ZIP of transfer proofs, at an address that is valid for a while.' });
export type ProofArchive = z.infer<typeof proofArchive>;
