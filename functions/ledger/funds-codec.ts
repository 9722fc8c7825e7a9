import * as z from 'zod';
import type { Conversion } from '../domain/batch.ts';
import { conversionStatuses } from '../domain/batch.ts';
import { once } from '../domain/once.ts';
import type { PairLock } from '../ports/funds-ledger.ts';
import { plannedConversion } from './batch-codec.ts';
import { decimalText } from './decimal-text.ts';
import type { Key } from './keys.ts';
import { keys } from './keys.ts';
import { reading } from './reading.ts';

/** Which change of a currency's reservations is the last. */
export const readFundsVersion = reading('funds', () => z.object({ version: z.int().positive() }));

/** A currency that money was set aside in. */
export const readFundedCurrency = reading('currency', () => z.object({ currency: z.string() }));

/** What a batch has set aside of one currency. */
export interface Reservation {
  readonly batchId: string;
  readonly amount: string;
}

const reservation = once<z.ZodType<Reservation>>(() => z.object({ batchId: z.string(), amount: decimalText() }));
export const readReservation = reading('reservation', reservation);
export const reservationItem = (
  currency: string,
  of: Reservation & { readonly reservedAt: string },
): Key & Reservation => ({ ...keys.reservation(currency, of.batchId), ...of });

const pairLock = once<z.ZodType<PairLock>>(() =>
  z.object({
    inputCurrency: z.string(),
    outputCurrency: z.string(),
    holder: z.string(),
    lockedAt: z.string(),
  }),
);
export const readPairLock = reading('lock', pairLock);

const conversion = once<z.ZodType<Conversion>>(() =>
  z.object({
    batchId: z.string(),
    n: z.int().positive(),
    status: z.enum(conversionStatuses),
    planned: plannedConversion(),
    quoteId: z.string(),
    inputBalanceBefore: decimalText(),
    outputBalanceBefore: decimalText(),
    claimId: z.string(),
    claimedAt: z.string(),
    convertId: z.string().exactOptional(),
    inputAmount: decimalText().exactOptional(),
    outputAmount: decimalText().exactOptional(),
    fee: decimalText().exactOptional(),
    reason: z.object({ code: z.string(), message: z.string() }).exactOptional(),
    endedAt: z.string().exactOptional(),
  }),
);

export const readConversion = reading('conversion', conversion);
export const conversionItem = (of: Conversion): Key & Conversion => ({ ...keys.conversion(of.batchId, of.n), ...of });
