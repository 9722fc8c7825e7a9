import * as z from 'zod';
import { rails } from '../../domain/payout/payout.ts';
import { text } from './text.ts';

export const rail = z.enum(rails).meta({ description: 'Bank transfers or wallet transfers.', example: 'fiat' });

export const currency = text('An upper-case fiat code, or `<token>-<network>`.', 'IDR');

export const amount = z
  .string()
  .regex(/^-?\d+(\.\d+)?$/)
  .meta({
    description: 'An exact decimal: read it as text, never as a binary floating point number.',
    example: '150000.50',
  });

export const count = z.int().min(0).meta({ example: 98 });

/** Count, sum and fees of some payouts of one currency. */
export const tally = z
  .strictObject({ count, amount, fee: amount })
  .meta({ id: 'Tally', description: 'How many payouts, their sum, and the fees the provider charged for them.' });
