import type { BatchLedger, Corrected } from '../../ports/ledger/batch-ledger.ts';
import { absent, and, asRead, changingSets, oneOf, setting } from '../table/expressions.ts';
import { keys } from '../table/keys.ts';
import type { PartDependencies } from '../table/store.ts';
import type { Write } from '../table/writes.ts';
import { returningOld, updating } from '../table/writes.ts';
import { batchAttributes, batchOf } from './batch-codec.ts';
import { batchesOfMark, checkMark, joinMark } from './file-mark.ts';

/**
 * Adds this batch to the earlier batches whose rows it corrects or whose payouts it retries. Each corrected batch must still have
 * the corrections that were read. A batch may be in both lists, but a transaction writes an item only once.
 */
const joinEarlier = (batchId: string, corrected: readonly Corrected[], retried: readonly string[]): readonly Write[] =>
  [...new Set([...corrected.map((one) => one.batchId), ...retried])].map((earlier) => {
    const correction = corrected.find((one) => one.batchId === earlier);
    const joined = {
      ...(correction === undefined ? {} : { correctedBy: [batchId] }),
      ...(retried.includes(earlier) ? { retriedBy: [batchId] } : {}),
    };
    const condition = correction && asRead('correctedBy', correction.correctedBy);
    return updating(keys.batch(earlier), changingSets('ADD', joined), condition);
  });

/**
 * Records the plan of a batch, with what it means for other batches: its content is in use, and earlier batches are corrected or
 * retried.
 */
export const createPlanRecording = ({ store }: PartDependencies) => {
  const recordPlan: BatchLedger['recordPlan'] = async (batch, plan, corrected = []) => {
    const { batchId, mode } = batch;
    const content = keys.content(plan.sha256);
    const retried = (plan.retries ?? []).map((one) => one.batchId);
    const planning = setting(batchAttributes({ plan, claimUpTo: plan.canaryChunks ?? null }));
    const isUnplanned = and(oneOf('status', ['validating']), absent('plan'));
    const result = await store.transact([
      returningOld(updating(keys.batch(batchId), planning, isUnplanned)),
      ...(mode === 'disburse' ? [joinMark(content, batch)] : checkMark(content, batch)),
      ...(mode === 'disburse' ? joinEarlier(batchId, corrected, retried) : []),
    ]);
    if (result.kind === 'written') return { kind: 'recorded' };
    const [own, mark, ...others] = result.writes;
    const batchIds = own?.failed === true || mark?.item === undefined ? [] : batchesOfMark(mark.item);
    if (batchIds.length > 0) return { kind: 'same_content', batchIds };
    if (own?.failed !== true && others.some(({ failed }) => failed)) return { kind: 'corrected_meanwhile' };
    // Each run of PlanBatch has its own prefix. An equal prefix means that this plan was recorded and only the response was lost.
    const isOwn = batchOf(batchId, own?.item).plan?.prefix === plan.prefix;
    return { kind: isOwn ? 'recorded' : 'refused' };
  };

  return { recordPlan };
};
