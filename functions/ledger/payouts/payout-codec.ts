import * as z from 'zod';
import type { Call, ChunkRecord } from '../../domain/batch/chunk.ts';
import { chunkRecordFields, storedCall } from '../../domain/batch/chunk.ts';
import { given } from '../../domain/given.ts';
import { Money } from '../../domain/money/money.ts';
import { storedTallies, talliesInText, talliesOfText } from '../../domain/money/money-records.ts';
import { once } from '../../domain/once.ts';
import type { ShownDestination } from '../../domain/payout/destination.ts';
import { mask } from '../../domain/payout/destination.ts';
import type { Payout } from '../../domain/payout/payout.ts';
import { payoutFields, rail } from '../../domain/payout/payout.ts';
import { counter, decimalText } from '../../domain/records.ts';
import type { PayoutId } from '../../ports/ledger/payout-ledger.ts';
import type { Key } from '../table/keys.ts';
import { chunkOfKey, keys } from '../table/keys.ts';
import { reading } from '../table/reading.ts';

/** The end of the account, then a space and the bank. One short text, because a sweep reads every payout. */
const paidTo = once(() =>
  z.string().transform((text): ShownDestination => {
    const [end = '', ...bank] = text.split(' ');
    return { ...(bank.length === 0 ? {} : { bankCode: bank.join(' ') }), account: `${mask}${end}` };
  }),
);
const paidToText = ({ bankCode, account }: ShownDestination): string =>
  [account.slice(mask.length), ...(bankCode === undefined ? [] : [bankCode])].join(' ');
const payout = once<z.ZodType<Payout>>(() =>
  z
    .object({
      ...payoutFields(),
      paidTo: paidTo().exactOptional(),
      currency: z.string(),
      amount: decimalText(),
      fee: decimalText().exactOptional(),
    })
    .transform(({ paidTo: destination, currency, amount, fee, ...rest }) => ({
      ...rest,
      amount: Money.of(amount, currency),
      ...(fee === undefined ? {} : { fee: Money.of(fee, currency) }),
      ...given({ destination }),
    })),
);

export const readPayout = reading('payout', payout);
export const payoutItem = ({ destination, amount, ...rest }: Payout): Key & Readonly<Record<string, unknown>> => ({
  ...keys.payout(rest.batchId, rest.chunk, rest.row),
  ...payoutAttributes(rest),
  currency: amount.currency,
  amount: amount.amount,
  ...given({ paidTo: destination && paidToText(destination) }),
});

/** The attributes that a move sets. The fee is in the payout's currency. */
export const payoutAttributes = <Changes extends Pick<Payout, 'fee'>>({ fee, ...changes }: Changes) => ({
  ...changes,
  ...given({ fee: fee?.amount }),
});

/** The payout that holds a reference. */
export const readReferenceHolder = reading<PayoutId>('reference', () =>
  z.object({ batchId: z.string(), chunk: counter(), row: counter() }),
);
export const readCall = reading('call', storedCall);
export const callItem = (call: Call): Key & Call => ({ ...keys.call(call.batchId, call.chunk, call.k), ...call });

/** A batch of a million rows reads ten thousand of these at a time, so they omit what the key contains, and zeros. */
const chunkRecord = once<z.ZodType<ChunkRecord>>(() =>
  z
    .object({
      pk: z.string(),
      sk: z.string(),
      rail: rail(),
      currency: z.string(),
      hasNoProofs: z.literal(true).exactOptional(),
      tallies: storedTallies(),
      ...chunkRecordFields(),
    })
    .transform(({ pk, sk, tallies, ...rest }) => ({
      ...chunkOfKey({ pk, sk }),
      ...rest,
      tallies: talliesOfText(rest.currency, tallies),
    })),
);

export const readChunkRecord = reading('chunk', chunkRecord);

/** The changeable attributes of a record. `null` removes one. */
export const chunkChanges = (record: ChunkRecord) => ({
  tallies: talliesInText(record.tallies),
  proofs: record.proofs === 0 ? null : record.proofs,
  proofsGivenUp: record.proofsGivenUp ?? null,
  waitingSince: Object.keys(record.waitingSince).length === 0 ? null : record.waitingSince,
  lastHeldAt: record.lastHeldAt ?? null,
  contradictions:
    record.contradictions.recorded + (record.contradictions.withoutProof ?? 0) === 0 ? null : record.contradictions,
  version: record.version,
});

export const chunkItem = (record: ChunkRecord): Key & Readonly<Record<string, unknown>> => {
  const { rail, currency, hasNoProofs, registeredAt } = record;
  const counted = Object.entries(chunkChanges(record)).filter(([, value]) => value !== null);
  const fixed = { rail, currency, ...given({ hasNoProofs }), registeredAt };
  return { ...keys.chunk(record.batchId, record.chunk), ...fixed, ...Object.fromEntries(counted) };
};
