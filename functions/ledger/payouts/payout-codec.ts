import * as z from 'zod';
import type { Call, ChunkRecord, ContradictionTally } from '../../domain/batch/chunk.ts';
import { waitingStatuses } from '../../domain/batch/chunk.ts';
import { given } from '../../domain/given.ts';
import { Money } from '../../domain/money/money.ts';
import { talliesInText, talliesOfText } from '../../domain/money/money-records.ts';
import { once } from '../../domain/once.ts';
import type { ShownDestination } from '../../domain/payout/destination.ts';
import { mask } from '../../domain/payout/destination.ts';
import type { Contradiction, Payout, PayoutReason, Proof } from '../../domain/payout/payout.ts';
import { observedStatuses, payoutStatuses } from '../../domain/payout/payout-status.ts';
import type { PayoutId } from '../../ports/ledger/payout-ledger.ts';
import type { Key } from '../table/keys.ts';
import { chunkOfKey, keys } from '../table/keys.ts';
import { reading } from '../table/reading.ts';
import { counter, decimalText, rail, storedTallies } from '../table/schemas.ts';

const reason = once<z.ZodType<PayoutReason>>(() =>
  z.object({
    code: z.string(),
    message: z.string(),
    providerText: z.string().exactOptional(),
  }),
);
/** The end of the account, then a space and the bank. One short text, because a sweep reads every payout. */
const paidTo = once(() =>
  z.string().transform((text): ShownDestination => {
    const [end = '', ...bank] = text.split(' ');
    return { ...(bank.length === 0 ? {} : { bankCode: bank.join(' ') }), account: `${mask}${end}` };
  }),
);
const paidToText = ({ bankCode, account }: ShownDestination): string =>
  [account.slice(mask.length), ...(bankCode === undefined ? [] : [bankCode])].join(' ');
const proof = once<z.ZodType<Proof>>(() => z.object({ key: z.string(), sha256: z.string(), bytes: counter() }));

const contradiction = once<z.ZodType<Contradiction>>(() =>
  z.object({
    code: z.string(),
    disbursementId: z.string(),
    observed: z.enum(observedStatuses),
    at: z.string(),
  }),
);

const stored = once(() =>
  z.object({
    batchId: z.string(),
    chunk: counter(),
    row: counter(),
    reference: z.string(),
    rail: rail(),
    currency: z.string(),
    amount: decimalText(),
    destinationHash: z.string(),
    paidTo: paidTo().exactOptional(),
    status: z.enum(payoutStatuses),
    reason: reason().exactOptional(),
    call: counter().exactOptional(),
    disbursementId: z.string().exactOptional(),
    fee: decimalText().exactOptional(),
    absences: counter().exactOptional(),
    proof: proof().exactOptional(),
    proofTries: counter().exactOptional(),
    heldBy: z.string().exactOptional(),
    contradictions: z.array(contradiction()).exactOptional(),
    contradictionsNoted: counter().exactOptional(),
    statusSince: z.string().exactOptional(),
    updatedAt: z.string(),
  }),
);

const payout = once<z.ZodType<Payout>>(() =>
  stored().transform(({ paidTo: destination, currency, amount, fee, ...rest }) => ({
    ...rest,
    amount: Money.of(amount, currency),
    ...(fee === undefined ? {} : { fee: Money.of(fee, currency) }),
    ...given({ destination }),
  })),
);

export const readPayout = reading('payout', payout);
export const payoutItem = ({ destination, amount, ...of }: Payout): Key & Readonly<Record<string, unknown>> => ({
  ...keys.payout(of.batchId, of.chunk, of.row),
  ...payoutAttributes(of),
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
export const referenceItem = (reference: string, { batchId, chunk, row }: PayoutId): Key & PayoutId => ({
  ...keys.reference(reference),
  batchId,
  chunk,
  row,
});

const call = once<z.ZodType<Call>>(() =>
  z.object({
    batchId: z.string(),
    chunk: counter(),
    k: counter(),
    rows: z.array(counter()),
    payloadHash: z.string(),
    claimId: z.string(),
    claimedAt: z.string(),
    outcome: z
      .discriminatedUnion('kind', [
        z.object({ kind: z.literal('accepted') }),
        z.object({ kind: z.literal('not_sent') }),
        z.object({
          kind: z.literal('rejected'),
          message: z.string(),
          isTaken: z.literal(true).exactOptional(),
          isBalanceTooLow: z.literal(true).exactOptional(),
          isUnconfirmed: z.literal(true).exactOptional(),
        }),
        z.object({ kind: z.literal('halted'), madeNothing: z.literal(true).exactOptional() }),
        z.object({ kind: z.literal('unknown'), cause: z.string() }),
      ])
      .exactOptional(),
  }),
);

export const readCall = reading('call', call);
export const callItem = (of: Call): Key & Call => ({ ...keys.call(of.batchId, of.chunk, of.k), ...of });

const contradictionTally = once<z.ZodType<ContradictionTally>>(() =>
  z.object({
    recorded: counter(),
    payouts: counter(),
    since: z.string().exactOptional(),
    withoutProof: counter().exactOptional(),
  }),
);

const noContradictions: ContradictionTally = { recorded: 0, payouts: 0 };

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
      proofs: counter().default(0),
      proofsGivenUp: counter().exactOptional(),
      waitingSince: z.partialRecord(z.enum(waitingStatuses), z.string()).default({}),
      lastHeldAt: z.string().exactOptional(),
      contradictions: contradictionTally().default(noContradictions),
      registeredAt: z.string(),
      version: counter(),
    })
    .transform(({ pk, sk, tallies, ...rest }) => ({
      ...chunkOfKey({ pk, sk }),
      ...rest,
      tallies: talliesOfText(rest.currency, tallies),
    })),
);

export const readChunkRecord = reading('chunk', chunkRecord);

/** The changeable attributes of a record. `null` removes one. */
export const chunkChanges = (of: ChunkRecord) => ({
  tallies: talliesInText(of.tallies),
  proofs: of.proofs === 0 ? null : of.proofs,
  proofsGivenUp: of.proofsGivenUp ?? null,
  waitingSince: Object.keys(of.waitingSince).length === 0 ? null : of.waitingSince,
  lastHeldAt: of.lastHeldAt ?? null,
  contradictions: of.contradictions.recorded === 0 ? null : of.contradictions,
  version: of.version,
});

export const chunkItem = (of: ChunkRecord): Key & Readonly<Record<string, unknown>> => {
  const { rail: ofRail, currency, hasNoProofs, registeredAt } = of;
  const counted = Object.entries(chunkChanges(of)).filter(([, value]) => value !== null);
  const fixed = { rail: ofRail, currency, ...given({ hasNoProofs }), registeredAt };
  return { ...keys.chunk(of.batchId, of.chunk), ...fixed, ...Object.fromEntries(counted) };
};
