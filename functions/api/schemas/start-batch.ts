import * as z from 'zod';
import { batchModes, invalidRowsChoices } from '../../domain/batch/batch.ts';
import { exampleBatch, printable } from './text.ts';
import { visibleText } from './visible-text.ts';

/** `[0-9]` instead of `\d`, which matches digits of every script in some tools. */
const expectedSum = z
  .string()
  .regex(/^[0-9]{1,40}(\.[0-9]{1,40})?$/, 'a decimal such as 1250000.50')
  .meta({ description: 'An exact decimal; `1000` is `1000.00`.', example: '1250000.50' });

/** Also refuses dates that do not exist: `Date` would read February 29 of a common year as March 1. */
const startTime = z
  .string()
  .regex(
    /^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,9})?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$/,
    'a time with its offset, such as 2026-01-25T09:00:00+07:00',
  )
  .refine((text) => z.iso.datetime({ offset: true }).safeParse(text).success, 'a day that exists');

const mostSums = 100;

export const controlTotals = z
  .strictObject({
    rows: z.int().min(0).exactOptional().meta({
      description: 'All rows of the file, the header not counted; invalid ones too.',
      example: 240,
    }),
    sums: z
      .record(z.string().regex(/^[A-Za-z][A-Za-z0-9-]{0,31}$/, 'a currency such as IDR or usdt-tron'), expectedSum)
      .refine((sums) => Object.keys(sums).length <= mostSums, `at most ${mostSums} currencies`)
      .exactOptional()
      .meta({
        description: 'Sums of the valid rows by currency. A currency of the file that is missing here is a difference.',
        example: { IDR: '1250000.50' },
        maxProperties: mostSums,
      }),
  })
  .meta({
    id: 'ControlTotals',
    description: 'What the file must add up to. If it differs, nothing is paid: `control_totals_differ`.',
  });

export const startBatchBody = z
  .strictObject({
    file: visibleText(
      z.string().max(1100),
      /^(s3:\/\/[a-z0-9.-]+\/)?uploads\/[^\p{Cc}]*[^/\p{Cc}]$/u,
      'a key under uploads/, or s3://<bucket>/uploads/…',
    ).meta({ description: 'The uploaded payout file: its key, or its S3 address.', example: 'uploads/salaries.csv' }),
    versionId: printable(1024).exactOptional().meta({
      description: 'The version to pay. Defaults to the current one.',
      example: '3sL4kqtJlcpXroDTDmJ.rmSpXd3dIbrH',
    }),
    mode: z.enum(batchModes).default('disburse').meta({
      description: '`preview` plans, estimates fees and checks the funds, but moves no money.',
      example: 'disburse',
    }),
    invalidRows: z.enum(invalidRowsChoices).default('reject').meta({
      description:
        '`reject`: nothing is paid if any row is bad. `skip`: the good rows are paid, the bad ones reported, and no batch with a bad row is `completed`.',
      example: 'reject',
    }),
    allowSameFile: z.boolean().default(false).meta({
      description:
        'Allow paying a file although another batch holds its version or content, even one that failed or was canceled. References must still be unique.',
      example: false,
    }),
    expect: controlTotals.exactOptional(),
    corrects: z
      .string()
      .regex(/^b-[0-9a-z]{26}$/, 'the id of a batch')
      .exactOptional()
      .meta({
        description:
          'The batch whose file this one corrects. That batch was refused or has skipped rows. If that batch pays its other rows, all its corrections together may have at most as many rows as were skipped.',
        example: exampleBatch,
      }),
    approval: z.literal('required').exactOptional().meta({
      description: 'Another person must approve the batch before money moves, whatever the checks find.',
      example: 'required',
    }),
    startAt: startTime.exactOptional().meta({
      description:
        'When to start, at most a year ahead. The file is read and checked immediately. Balance, limits and approval are checked at the start time. A preview does not wait.',
      example: '2026-01-25T09:00:00+07:00',
    }),
    canary: z.int().min(1).max(1000).exactOptional().meta({
      description:
        'This many valid rows are paid first. The others are sent once all of these are completed. If one does not complete, the batch pauses: `canary_failed`.',
      example: 5,
    }),
    pauseAbove: z.int().min(0).max(100).exactOptional().meta({
      description:
        'The batch pauses (`unpaid_above`) when more than this percentage of ended payouts was not paid. Checked once 20 have ended, or sooner when the percentage of all payouts is already exceeded.',
      example: 5,
    }),
  })
  .meta({ id: 'StartBatch', description: 'Which file to pay, and how.' });
