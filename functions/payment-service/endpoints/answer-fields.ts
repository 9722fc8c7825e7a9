import * as z from 'zod';
import type { Terms } from '../domain/money/fees-and-limits.ts';
import { shownNumber, wireNumber } from '../http/wire-json.ts';

/** An amount in an answer, with all its digits. */
export const amount = shownNumber.meta({ description: 'Exact: written with all its digits.' });

export const time = z.iso.datetime().meta({ description: 'UTC.' });

/** One of several fixed words, where the code has a wider type. */
export const word = (words: readonly string[]) => z.string().meta({ enum: [...words] });

export const percentage = shownNumber.meta({ description: '`0.5` is half a percent.' });

/** The limits and the fee of a payment method. */
export const shownTerms = ({ minAmount, maxAmount, feePercentage, feeFlat }: Terms) => ({
  minAmount: wireNumber(minAmount),
  maxAmount: wireNumber(maxAmount),
  feePercentage: wireNumber(feePercentage),
  feeFlat: wireNumber(feeFlat),
});

/** The events of a record, oldest first. */
export const history = (statuses: readonly string[]) =>
  z.array(z.strictObject({ activity: z.string(), status: word(statuses), description: z.string(), updatedAt: time }));
