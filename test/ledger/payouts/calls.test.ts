import { describe, expect, it } from 'vitest';
import { batchTransitions } from '../../../functions/domain/batch/batch-status.ts';
import { InvariantBroken } from '../../../functions/domain/errors.ts';
import { asClaimed } from '../../../functions/domain/payout/claim.ts';
import { payoutTransitions } from '../../../functions/domain/payout/payout-status.ts';
import { registeredChunk } from '../../support/scenes/registered-chunk.ts';
import { batchIn, chunkOf, claimOf, processingChunk, registered, times } from '../example.ts';
import { useLedger } from '../table.ts';

const { ledger } = useLedger();

describe('claiming a call', () => {
  it('writes the call and moves all its 98 rows', async () => {
    const { batchId, payouts } = await processingChunk(ledger, 98);
    const call = claimOf(
      batchId,
      payouts.map(({ row }) => row),
    );
    expect(await ledger.claimCall(call)).toEqual({ kind: 'claimed' });
    const chunk = await registeredChunk(ledger, batchId, 1);
    expect(chunk.calls).toEqual([call]);
    expect(chunk.payouts).toEqual(payouts.map((payout) => asClaimed(payout, call)));
    expect(chunk.payouts.every(({ status, call: k }) => status === 'submitting' && k === 1)).toBe(true);
  });

  it('does not change other rows', async () => {
    const { batchId } = await processingChunk(ledger, 3);
    await ledger.claimCall(claimOf(batchId, [1, 3]));
    expect((await registeredChunk(ledger, batchId, 1)).payouts.map(({ status }) => status)).toEqual([
      'submitting',
      'ready',
      'submitting',
    ]);
  });

  it.each(Array.from({ length: 20 }, (_, race) => race + 1))(
    'succeeds for exactly one of two concurrent claims (race %i)',
    async () => {
      const { batchId } = await processingChunk(ledger, 5);
      const claims = [claimOf(batchId, [1, 2, 3, 4, 5]), claimOf(batchId, [1, 2, 3, 4, 5])];
      const answers = await Promise.all(claims.map((claim) => ledger.claimCall(claim)));
      expect(answers.map(({ kind }) => kind).sort()).toEqual(['claimed', 'taken']);
      const winner = claims[answers.findIndex(({ kind }) => kind === 'claimed')];
      expect((await registeredChunk(ledger, batchId, 1)).calls.map(({ claimId }) => claimId)).toEqual([
        winner?.claimId,
      ]);
    },
  );

  it('succeeds for one of many calls of one row with different numbers', async () => {
    const { batchId } = await processingChunk(ledger, 2);
    const answers = await times(10, (index) => ledger.claimCall(claimOf(batchId, [1], index + 1)));
    expect(answers.filter(({ kind }) => kind === 'claimed')).toHaveLength(1);
    expect((await registeredChunk(ledger, batchId, 1)).calls).toHaveLength(1);
  });

  it('recognizes its own claim after a lost answer, and never another’s', async () => {
    const { batchId } = await processingChunk(ledger, 1);
    const claim = claimOf(batchId, [1]);
    await ledger.claimCall(claim);
    expect(await ledger.claimCall(claim)).toEqual({ kind: 'claimed' });
    expect(await ledger.claimCall(claimOf(batchId, [1]))).toEqual({ kind: 'taken' });
  });

  it.each(['accepted', 'validating', 'awaiting_funds', 'paused', 'canceled', 'completed'] as const)(
    'fails for a batch that is %s',
    async (status) => {
      const batchId = await batchIn(ledger, status);
      await registered(ledger, chunkOf(batchId, 2));
      expect(await ledger.claimCall(claimOf(batchId, [1, 2]))).toEqual({ kind: 'stopped' });
      const { calls, payouts } = await registeredChunk(ledger, batchId, 1);
      expect(calls).toEqual([]);
      expect(payouts.map((payout) => payout.status)).toEqual(['ready', 'ready']);
    },
  );

  it('fails once a cancellation was requested', async () => {
    const { batchId } = await processingChunk(ledger, 1);
    await ledger.requestCancel(batchId, 'arn:person');
    expect(await ledger.claimCall(claimOf(batchId, [1]))).toEqual({ kind: 'stopped' });
  });

  it('either comes before a pause or fails', async () => {
    const chunks = await times(10, () => processingChunk(ledger, 1));
    for (const { batchId } of chunks) {
      const [claim] = await Promise.all([
        ledger.claimCall(claimOf(batchId, [1])),
        ledger.moveBatch(batchId, batchTransitions.pause, 'arn:person'),
      ]);
      const { calls } = await registeredChunk(ledger, batchId, 1);
      expect(calls).toHaveLength(claim.kind === 'claimed' ? 1 : 0);
      expect(claim.kind).not.toBe('taken');
    }
  });

  it('fails as a whole when one row is not ready', async () => {
    const { batchId } = await processingChunk(ledger, 3);
    await ledger.claimCall(claimOf(batchId, [2]));
    expect(await ledger.claimCall(claimOf(batchId, [1, 2, 3], 2))).toEqual({ kind: 'taken' });
    expect((await registeredChunk(ledger, batchId, 1)).payouts.map(({ status }) => status)).toEqual([
      'ready',
      'submitting',
      'ready',
    ]);
  });

  it('resets the count of absences', async () => {
    const { batchId, payouts } = await processingChunk(ledger, 1);
    await ledger.claimCall(claimOf(batchId, [1]));
    const id = { batchId, chunk: 1, row: 1 };
    expect(payouts).toHaveLength(1);
    const { payout } = await ledger.movePayout(id, payoutTransitions.loseSight);
    await ledger.countAbsence(payout);
    await ledger.movePayout(id, payoutTransitions.provenAbsent);
    expect(await ledger.claimCall(claimOf(batchId, [1], 2))).toEqual({ kind: 'claimed' });
    const [again] = (await registeredChunk(ledger, batchId, 1)).payouts;
    expect(again).toMatchObject({ status: 'submitting', call: 2 });
    expect(again).not.toHaveProperty('absences');
  });

  it.each([
    { name: 'no rows', rows: [] },
    { name: 'a row twice', rows: [1, 1] },
    { name: '99 rows', rows: Array.from({ length: 99 }, (_, index) => index + 1) },
  ])('rejects $name', async ({ rows }) => {
    const refused = new InvariantBroken('call_rows_invalid: any 1 1');
    await expect(ledger.claimCall(claimOf('any', rows))).rejects.toThrow(refused);
  });
});

describe('recording a call’s outcome', () => {
  it('succeeds once for ten concurrent writers', async () => {
    const { batchId } = await processingChunk(ledger, 1);
    const claim = claimOf(batchId, [1]);
    await ledger.claimCall(claim);
    const answers = await times(10, (index) =>
      ledger.recordCallOutcome(claim, { kind: 'unknown', cause: `attempt_${index}` }),
    );
    expect(answers.filter((recorded) => recorded)).toHaveLength(1);
    const { calls } = await registeredChunk(ledger, batchId, 1);
    expect(calls[0]?.outcome).toEqual({ kind: 'unknown', cause: `attempt_${answers.indexOf(true)}` });
  });

  it('throws for a call of another claim, or of none', async () => {
    const { batchId } = await processingChunk(ledger, 1);
    await ledger.claimCall(claimOf(batchId, [1]));
    await expect(ledger.recordCallOutcome(claimOf(batchId, [1]), { kind: 'accepted' })).rejects.toThrow(
      InvariantBroken,
    );
    await expect(ledger.recordCallOutcome(claimOf(batchId, [1], 2), { kind: 'accepted' })).rejects.toThrow(
      InvariantBroken,
    );
  });
});
