import type { PayoutDecision } from '../../../../functions/api/schemas/payout.ts';
import { settlePayout } from '../../../../functions/api/settle/settle-payout.ts';
import type { Rail } from '../../../../functions/domain/payout/payout.ts';
import { payoutTransitions } from '../../../../functions/domain/payout/payout-status.ts';
import type { Disbursement, Lookup, SubmitAnswer } from '../../../../functions/ports/provider.ts';
import { submitChunk } from '../../../../functions/steps/submit-chunk.ts';
import { batchId, createChunkScene } from '../../../support/scenes/chunk-scene.ts';
import { operator } from '../fixtures.ts';

/** A payout whose call got no answer and that no lookup settled, with a scripted provider. */
export const quarantined = async (
  rail: Rail = 'crypto',
  answer: SubmitAnswer = { kind: 'unknown', cause: 'timeout' },
) => {
  const scene = createChunkScene(rail, 1);
  scene.answers.push(() => answer);
  await submitChunk(scene.dependencies, scene.input, scene.invocation);
  const id = { batchId, chunk: 1, row: 1 };
  await scene.ledger.movePayout(id, payoutTransitions.quarantine, { reason: { code: 'absent', message: 'absent' } });
  scene.passSeconds(86_400);
  const listed: Disbursement[] = [];
  scene.provider.listByReference = async () => listed;
  scene.provider.destinationSearch = (rail) =>
    rail === 'crypto' ? async ({ amount }) => listed.filter((one) => one.amount.equals(amount)) : undefined;
  const standing = () => scene.ledger.payouts[0];
  return {
    scene,
    standing,
    /** Gives the provider a disbursement of the payout, found by id and reference. */
    knows: (changes: Partial<Disbursement> = {}) => {
      const disbursement = scene.disbursementOf('ref-1', changes);
      for (const name of ['ref-1', disbursement.disbursementId])
        scene.lookups.set(name, [{ kind: 'found', disbursement }]);
      listed.push(disbursement);
    },
    says: (lookup: Lookup) => scene.lookups.set('ref-1', [lookup]),
    settle: (decision: PayoutDecision, disbursementId?: string) =>
      settlePayout(scene.dependencies, {
        path: { reference: 'ref-1' },
        body: { decision, reason: 'Ticket 4711', ...(disbursementId === undefined ? {} : { disbursementId }) },
        caller: operator,
      }),
  };
};

export const problem = (code: string) => ({ kind: 'problem', code });
