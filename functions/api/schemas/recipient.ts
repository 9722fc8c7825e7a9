import * as z from 'zod';
import { currencyCode } from '../../domain/money/currency.ts';
import { currency } from './money.ts';
import { batchId, cursor, cursorDescription } from './parameters.ts';
import { exampleBatch, exampleHash, optionalText, text } from './text.ts';

const account = (most: number, example: string, description: string) =>
  z.string().min(1).max(most).meta({ description, example });

const byBank = z.strictObject({
  bankCode: account(40, 'bca', 'As the file gives it.'),
  accountNumber: account(100, '0012345678', 'As the file gives it, hyphens included. Spaces do not count.'),
});
const byWallet = z.strictObject({
  walletAddress: account(100, '0x52908400098527886e0f7030069857d2e4169ee7', 'As the file gives it.'),
});
const byRecipientId = z.strictObject({ recipientId: account(100, 'rec_4711', "The provider's id of a recipient.") });
const byHash = z.strictObject({
  destinationHash: z
    .string()
    .regex(/^[0-9a-f]{64}$/, '64 hexadecimal digits')
    .meta({ description: 'For programs that keep no account numbers: see hashDestination.', example: exampleHash }),
});

const searchedRecipient = z.union([byBank, byWallet, byRecipientId]);
export type SearchedRecipient = z.infer<typeof searchedRecipient>;

/** The recipient to search for. */
export const soughtRecipient = z.union([byBank, byWallet, byRecipientId, byHash]);

/** Each of these is enough to search by. */
const searchedBy = ['recipient', 'amount', 'referencePrefix'] as const;

export const searchPayoutsBody = z
  .strictObject({
    recipient: soughtRecipient
      .exactOptional()
      .meta({ description: 'The recipient to search for.', example: { bankCode: 'bca', accountNumber: '0012345678' } }),
    batchId: batchId.exactOptional().meta({ description: 'Only payouts of this batch.', example: exampleBatch }),
    currency: currency
      .trim()
      .overwrite(currencyCode)
      .exactOptional()
      .meta({ description: 'A fiat code, or `<token>-<network>`, in any letter case.', example: 'IDR' }),
    amount: z
      .string()
      .regex(/^\d+(\.\d+)?$/, 'digits, also with a point and more digits')
      .max(40)
      .exactOptional()
      .meta({ description: '`10.00` finds `10` too.', example: '250000' }),
    referencePrefix: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,68}$/, 'letters, digits and . _ : -, and begins with a letter or digit')
      .exactOptional()
      .meta({ description: 'The beginning of the reference, in any letter case.', example: 'salary-2026-01-' }),
    limit: z.int().min(1).max(100).default(50).meta({ description: 'Page size; 50 when left out.', example: 50 }),
    cursor: cursor.meta({
      description: cursorDescription,
      example: 'eyJjaHVuayI6MSwicm93Ijo5OCwiYmF0Y2hJZCI6ImItMSJ9',
    }),
  })
  .refine((searched) => searchedBy.some((field) => field in searched), {
    error: 'There is nothing to search by: name a recipient, an amount or a referencePrefix.',
  })
  .meta({
    id: 'SearchPayouts',
    description:
      'Criteria that a payout must all meet: at least a recipient, an amount or the beginning of a reference. Sent in the body, ' +
      'because an account number does not belong in a URL.',
    anyOf: searchedBy.map((field) => ({ required: [field] })),
  });

export const recipientView = z
  .strictObject({
    batchId: z.string().meta({ example: exampleBatch }),
    row: z.int().min(1).meta({ description: 'Row in the file, from 1, the header not counted.', example: 7 }),
    reference: z.string().meta({ example: 'salary-2026-01-0007' }),
    name: optionalText('As the file gives it: `accountName` of a bank account, else `name`.', 'Siti Rahma'),
    bankCode: z.string().exactOptional().meta({ example: 'bca' }),
    bankName: z.string().exactOptional().meta({ example: 'Bank Central Asia' }),
    account: text('The end of account number, address or id.', '***5678'),
    extras: z
      .record(z.string(), z.string())
      .exactOptional()
      .meta({ description: "The file's columns that begin with `x-`.", example: { 'x-department': 'Accounts' } }),
  })
  .meta({
    id: 'Recipient',
    description: 'The recipient of a payout, without the whole account number.',
  });
