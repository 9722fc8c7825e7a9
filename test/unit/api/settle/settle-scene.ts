import type { PayoutDecision } from '../../../../functions/api/schemas/payout.ts';
import { settlePayout } from '../../../../functions/api/settle/settle-payout.ts';
import { given } from '../../../../functions/domain/given.ts';
import type { Rail } from '../../../../functions/domain/payout/payout.ts';
import { payoutTransitions } from '../../../../functions/domain/payout/payout-status.ts';
import type { Disbursement, Lookup, PaymentProvider, SubmitAnswer } from '../../../../functions/ports/provider.ts';
import { submitChunk } from '../../../../functions/steps/submit-chunk.ts';
import { batchId, createBatchScene } from '../../../support/scenes/batch-scene.ts';
import { operator } from '../fixtures.ts';

/**
 * A batch of one row, with a provider whose lookups are scripted by id or reference. It finds nothing else, and a search without
 * a script throws.
 */
export const createSettleScene = async (rail: Rail = 'fiat') => {
  const scene = await createBatchScene({ rail, rows: 1 });
  const lookups = new Map<string, Lookup>();
  const searches: Pick<PaymentProvider, 'lookUp' | 'listByReference' | 'destinationSearch'> = {
    lookUp: async (_rail, idOrReference) => lookups.get(idOrReference) ?? { kind: 'absent' },
    listByReference: async () => {
      throw new Error('no answer is scripted for a search by reference');
    },
    destinationSearch: (searched) =>
      searched === 'crypto'
        ? async () => {
            throw new Error('no answer is scripted for a search by destination');
          }
        : undefined,
  };
  const provider = { ...scene.dependencies.provider, ...searches };
  const dependencies = { ...scene.dependencies, provider };
  return {
    ...scene,
    provider,
    dependencies,
    lookups,
    submit: () => submitChunk(dependencies, scene.inputOf(), scene.invocation),
  };
};

/** A payout whose call got no answer and that no lookup settled, with a scripted provider. */
export const quarantined = async (
  rail: Rail = 'crypto',
  answer: SubmitAnswer = { kind: 'unknown', cause: 'timeout' },
) => {
  const scene = await createSettleScene(rail);
  scene.answers.push(() => answer);
  await scene.submit();
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
        scene.lookups.set(name, { kind: 'found', disbursement });
      listed.push(disbursement);
    },
    says: (lookup: Lookup) => scene.lookups.set('ref-1', lookup),
    settle: (decision: PayoutDecision, disbursementId?: string, contradictions?: number) =>
      settlePayout(scene.dependencies, {
        path: { reference: 'ref-1' },
        body: { decision, reason: 'Ticket 4711', ...given({ disbursementId, contradictions }) },
        caller: operator,
      }),
  };
};

export const problem = (code: string) => ({ kind: 'problem', code });
