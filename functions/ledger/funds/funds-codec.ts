import * as z from 'zod';
import type { Conversion } from '../../domain/batch/batch.ts';
import { conversionFields } from '../../domain/batch/batch.ts';
import { Money } from '../../domain/money/money.ts';
import type { ConversionInText } from '../../domain/money/money-records.ts';
import { conversionInText, conversionOfText, plannedConversion } from '../../domain/money/money-records.ts';
import { once } from '../../domain/once.ts';
import { decimalText } from '../../domain/records.ts';
import type { PairLock, Reservation } from '../../ports/ledger/funds-ledger.ts';
import type { Key } from '../table/keys.ts';
import { keys } from '../table/keys.ts';
import { reading } from '../table/reading.ts';
import type { Item } from '../table/store.ts';

/** The number of the last change to a currency's reservations. */
export const readFundsVersion = reading('funds', () => z.object({ version: z.int().positive() }));

/** A currency in which money was ever reserved. */
export const readFundedCurrency = reading('currency', () => z.object({ currency: z.string() }));

const storedReservation = reading('reservation', () => z.object({ batchId: z.string(), amount: decimalText() }));

/** @param currency from the item's partition */
export const readReservation =
  (currency: string) =>
  (item: Item): Reservation => {
    const { batchId, amount } = storedReservation(item);
    return { batchId, amount: Money.of(amount, currency) };
  };
export const reservationItem = (
  { batchId, amount }: Reservation,
  reservedAt: string,
): Key & Readonly<Record<string, unknown>> => ({
  ...keys.reservation(amount.currency, batchId),
  batchId,
  amount: amount.amount,
  reservedAt,
});

export const readPairLock = reading<PairLock>('lock', () =>
  z.object({ inputCurrency: z.string(), outputCurrency: z.string(), holder: z.string(), lockedAt: z.string() }),
);

const conversion = once<z.ZodType<Conversion>>(() =>
  z
    .object({
      ...conversionFields(),
      planned: plannedConversion(),
      inputBalanceBefore: decimalText(),
      outputBalanceBefore: decimalText(),
      inputAmount: decimalText().exactOptional(),
      outputAmount: decimalText().exactOptional(),
      fee: decimalText().exactOptional(),
    })
    .transform(conversionOfText),
);

export const readConversion = reading('conversion', conversion);
export const conversionItem = (conversion: Conversion): Key & ConversionInText => ({
  ...keys.conversion(conversion.batchId, conversion.n),
  ...conversionInText(conversion),
});
