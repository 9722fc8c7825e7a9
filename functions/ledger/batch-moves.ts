import type { Batch, BatchEvent } from '../domain/batch.ts';
import { batchStatusesBeforeAnEnd, isBatchEnd } from '../domain/batch-status.ts';
import { InvariantBroken } from '../domain/errors.ts';
import type { BatchChanges, BatchLedger, MoveBatch } from '../ports/batch-ledger.ts';
import { isoNow } from '../ports/environment.ts';
import { eventItem, eventOf, openWhile, readBatch } from './batch-codec.ts';
import type { Expression } from './expressions.ts';
import { absent, and, equals, oneOf, setting } from './expressions.ts';
import { leaveFileMark } from './file-mark.ts';
import { keys } from './keys.ts';
import type { Item, LedgerDependencies } from './store.ts';
import { createStore } from './store.ts';
import type { Write } from './writes.ts';

/** What changes set, and the condition that comes with it. */
const changing = ({
  endedExecution,
  leavingSince,
  ...changes
}: BatchChanges): { update: Readonly<Record<string, unknown>>; conditions: readonly Expression[] } => ({
  update: endedExecution === undefined ? changes : { ...changes, executionEnded: true },
  conditions: [
    ...(endedExecution === undefined ? [] : [equals('executions', endedExecution)]),
    ...(leavingSince === undefined ? [] : [equals('statusSince', leavingSince)]),
  ],
});

/** Every change of a batch after its creation: one conditional write each, with its line of the timeline. */
export const createBatchMoves = (
  dependencies: LedgerDependencies,
): Pick<BatchLedger, 'moveBatch' | 'amendBatch' | 'requestCancel' | 'beginExecution'> => {
  const { clock, ids } = dependencies;
  const store = createStore(dependencies);

  const standing = (batchId: string, item: Item | undefined): Batch => {
    if (item === undefined) throw new InvariantBroken(`batch_missing: ${batchId}`);
    return readBatch(item);
  };
  const getBatch = async (batchId: string): Promise<Batch> => standing(batchId, await store.get(keys.batch(batchId)));

  const withEvent = async (
    batchId: string,
    change: { readonly update: Expression; readonly condition: Expression },
    event: BatchEvent,
    alongside: readonly Write[] = [],
  ): Promise<MoveBatch> => {
    const result = await store.transact([
      { kind: 'update', key: keys.batch(batchId), ...change, tellOld: true },
      { kind: 'put', item: eventItem(batchId, ids.sortable(), event), condition: absent('pk') },
      ...alongside,
    ]);
    return result.kind === 'written'
      ? { kind: 'moved', batch: await getBatch(batchId) }
      : { kind: 'refused', batch: standing(batchId, result.writes[0]?.item) };
  };

  const moveBatch: BatchLedger['moveBatch'] = async (batchId, transition, by, changes = {}, detail, note) => {
    const at = isoNow(clock);
    const { update, conditions } = changing(changes);
    const refusesFile = transition.to === 'validation_failed';
    const alongside = refusesFile ? await leavingItsFile(batchId) : [];
    return withEvent(
      batchId,
      {
        // A reason tells why a batch is in its status: the last status's reason does not outlive it.
        update: setting({
          reason: null,
          ...update,
          status: transition.to,
          statusSince: at,
          open: openWhile(transition.to),
        }),
        condition: and(oneOf('status', transition.from), ...conditions),
      },
      eventOf(at, { code: transition.event, by, detail, note }),
      alongside,
    );
  };

  const leavingItsFile = async (batchId: string): Promise<readonly Write[]> => {
    const batch = await getBatch(batchId);
    return batch.mode === 'disburse' ? [leaveFileMark(batch)] : [];
  };

  const amendBatch: BatchLedger['amendBatch'] = async (batchId, whileStatus, changes) => {
    const { update, conditions } = changing(changes);
    const recordsPlan = changes.plan !== undefined && changes.plan !== null;
    const result = await store.update(
      keys.batch(batchId),
      setting(update),
      and(oneOf('status', whileStatus), ...conditions, ...(recordsPlan ? [absent('plan')] : [])),
    );
    const batch = standing(batchId, result.item);
    if (result.kind === 'written') return { kind: 'moved', batch };
    // No two runs of PlanBatch share a prefix: the plan that stands is this one, and only its answer was lost.
    return recordsPlan && batch.plan?.prefix === changes.plan?.prefix
      ? { kind: 'moved', batch }
      : { kind: 'refused', batch };
  };

  const requestCancel: BatchLedger['requestCancel'] = async (batchId, by, note) => {
    const at = isoNow(clock);
    const result = await withEvent(
      batchId,
      {
        update: setting({ cancelRequestedAt: at }),
        condition: and(absent('cancelRequestedAt'), oneOf('status', batchStatusesBeforeAnEnd)),
      },
      eventOf(at, { code: 'batch.cancel_requested', by, note }),
    );
    // Asked twice is asked once: only an end refuses.
    const asked = result.batch.cancelRequestedAt !== undefined && !isBatchEnd(result.batch.status);
    return asked ? { kind: 'moved', batch: result.batch } : result;
  };

  const beginExecution: BatchLedger['beginExecution'] = (batchId, executions, by, note) => {
    const next = executions + 1;
    return withEvent(
      batchId,
      {
        update: setting({ executions: next, executionEnded: null }),
        // Not on executionEnded: that the n-th is over stays true, whoever says so and however late.
        condition: equals('executions', executions),
      },
      eventOf(isoNow(clock), { code: 'batch.execution_started', by, detail: `${batchId}-${next}`, note }),
    );
  };

  return { moveBatch, amendBatch, requestCancel, beginExecution };
};
