import * as z from 'zod';
import { once } from '../../domain/once.ts';
import { rails } from '../../domain/payout/payout.ts';
import { payoutStatuses } from '../../domain/payout/payout-status.ts';

/** An amount as the table stores it: an exact decimal in a string, never a number. */
export const decimalText = once(() => z.string().regex(/^-?\d+(\.\d+)?$/));
export const counter = once(() => z.int().nonnegative());
export const rail = once(() => z.enum(rails));

export const storedTally = once(() => z.object({ count: counter(), amount: decimalText(), fee: decimalText() }));
export const storedTallies = once(() => z.partialRecord(z.enum(payoutStatuses), storedTally()));
