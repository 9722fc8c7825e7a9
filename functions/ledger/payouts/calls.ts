import { InvariantBroken } from '../../domain/errors.ts';
import { changesOfClaim } from '../../domain/payout/claim.ts';
import { payoutTransitions } from '../../domain/payout/payout-status.ts';
import type { PayoutLedger } from '../../ports/ledger/payout-ledger.ts';
import { mayClaim } from '../batches/batch-condition.ts';
import { absent, and, equals, oneOf, setting } from '../table/expressions.ts';
import { keys } from '../table/keys.ts';
import type { PartDependencies } from '../table/store.ts';
import { requestItems } from '../table/store.ts';
import { checking, creating, returningOld, updating } from '../table/writes.ts';
import { callItem, readCall } from './payout-codec.ts';

/** The most rows of one claim: a transaction's items minus the call and the check of the batch. */
const rowsPerCall = requestItems - 2;

/** Claims calls and records their outcomes. */
export const createCalls = ({ store }: PartDependencies) =>
  ({
    /**
     * The claim id must be new to each invocation. If the stored call has this id, this invocation wrote it and only the response
     * was lost, so the permit is still unused. Everyone else finds another id and gets `taken`.
     */
    claimCall: async (call) => {
      const { batchId, chunk, k, rows, claimId } = call;
      if (rows.length === 0 || rows.length > rowsPerCall || new Set(rows).size !== rows.length)
        throw new InvariantBroken(`call_rows_invalid: ${batchId} ${chunk} ${k}`);
      const claiming = setting(changesOfClaim(call));
      const mayBeClaimed = oneOf('status', payoutTransitions.claim.from);
      const result = await store.transact([
        returningOld(creating(callItem(call))),
        checking(keys.batch(batchId), mayClaim(chunk)),
        ...rows.map((row) => updating(keys.payout(batchId, chunk, row), claiming, mayBeClaimed)),
      ]);
      if (result.kind === 'written') return { kind: 'claimed' };
      const [existing, batch] = result.writes;
      if (existing?.failed && existing.item !== undefined)
        return readCall(existing.item).claimId === claimId ? { kind: 'claimed' } : { kind: 'taken' };
      return batch?.failed ? { kind: 'stopped' } : { kind: 'taken' };
    },

    recordCallOutcome: async ({ batchId, chunk, k, claimId }, outcome) => {
      const condition = and(equals('claimId', claimId), absent('outcome'));
      const result = await store.update(keys.call(batchId, chunk, k), setting({ outcome }), condition);
      if (result.kind === 'written') return true;
      if (result.item === undefined || readCall(result.item).claimId !== claimId)
        throw new InvariantBroken(`call_of_another_claim: ${batchId} ${chunk} ${k}`);
      return false;
    },
  }) satisfies Partial<PayoutLedger>;
