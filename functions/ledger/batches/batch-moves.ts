import { batchStatusesBeforeAnEnd, batchTransitions, isBatchEnd } from '../../domain/batch/batch-status.ts';
import { batchNews } from '../../domain/events/news.ts';
import { isoNow } from '../../ports/environment.ts';
import type { BatchChanges, BatchLedger, MoveBatch } from '../../ports/ledger/batch-ledger.ts';
import { newsWrite } from '../events/events-codec.ts';
import type { Expression } from '../table/expressions.ts';
import { absent, and, atMost, equals, fieldEquals, lacks, oneOf, or, present, setting } from '../table/expressions.ts';
import { keys } from '../table/keys.ts';
import type { PartDependencies } from '../table/store.ts';
import type { Write } from '../table/writes.ts';
import { batchAttributes, batchOf, lineWrite, movedTo } from './batch-codec.ts';
import { leaveMark } from './file-mark.ts';
import { reconciliationWrite } from './reconciliations.ts';

/** An execution ends its batch once. It may still end an unfinished batch after its failure was recorded. */
const endsOnce = or(absent('executionEnded'), present('open'));

/** The update for changes, and the conditions that come with it. */
const changing = ({
  endedExecution,
  leavingSince,
  enteredNoLaterThan,
  // Written as an item of its own.
  reconcileAt: _reconcileAt,
  decidingOn,
  ...changes
}: BatchChanges): { update: Readonly<Record<string, unknown>>; conditions: readonly Expression[] } => ({
  update: batchAttributes(endedExecution === undefined ? changes : { ...changes, executionEnded: true }),
  conditions: [
    // The first recorded plan wins: a later run with another result changes nothing.
    ...(changes.plan === undefined ? [] : [absent('plan')]),
    ...(endedExecution === undefined ? [] : [equals('executions', endedExecution), endsOnce]),
    ...(leavingSince === undefined ? [] : [equals('statusSince', leavingSince)]),
    ...(enteredNoLaterThan === undefined ? [] : [atMost('statusSince', enteredNoLaterThan)]),
    // A person resumed after seeing these words. A refusal of a call posted before that must not pause the batch again.
    ...(changes.refusedWords == null ? [] : [lacks('acknowledgedWords', changes.refusedWords)]),
    ...(decidingOn === undefined ? [] : [fieldEquals('approval', 'hash', decidingOn), absent('cancelRequestedAt')]),
  ],
});

/**
 * Changes of a batch after its creation. Each is one conditional write. All but amendBatch write a line of the timeline with it.
 * Plans are recorded by record-plan.ts, releases by releases.ts, and shared debts by payouts/debts.ts.
 */
export const createBatchMoves = ({ store, clock, ids }: PartDependencies) => {
  /** The change and the other writes are one transaction. */
  const change = async (
    batchId: string,
    update: Expression,
    condition: Expression,
    others: readonly Write[] = [],
  ): Promise<MoveBatch> => {
    const { kind, item } = await store.move(keys.batch(batchId), update, condition, others);
    return { kind, batch: batchOf(batchId, item) };
  };

  const moveBatch: BatchLedger['moveBatch'] = async (batchId, transition, by, changes = {}, { detail, note } = {}) => {
    const at = isoNow(clock);
    const { update, conditions } = changing(changes);
    const { reconcileAt: dueAt } = changes;
    return change(
      batchId,
      setting({ ...movedTo(transition.to, at), ...update }),
      and(oneOf('status', transition.from), ...conditions),
      [
        lineWrite(batchId, ids.sortable(), { at, code: transition.event, by, detail, note }),
        newsWrite(batchId, ids.sortable(), batchNews(at, transition, changes.reason)),
        ...(transition.freesFile === true ? await leavingItsFile(batchId) : []),
        ...(dueAt === undefined ? [] : [reconciliationWrite({ batchId, endedAt: at, dueAt, round: 0 })]),
      ],
    );
  };

  const leavingItsFile = async (batchId: string): Promise<readonly Write[]> => {
    const { mode, file, plan } = batchOf(batchId, await store.get(keys.batch(batchId)));
    const content = plan?.sha256 === undefined ? [] : [keys.content(plan.sha256)];
    return mode === 'disburse' ? [keys.file(file), ...content].map((key) => leaveMark(key, batchId)) : [];
  };

  const amendBatch: BatchLedger['amendBatch'] = async (batchId, whileStatus, changes) => {
    const { update, conditions } = changing(changes);
    return change(batchId, setting(update), and(oneOf('status', whileStatus), ...conditions));
  };

  const requestCancel: BatchLedger['requestCancel'] = async (batchId, by, note) => {
    const at = isoNow(clock);
    const condition = and(absent('cancelRequestedAt'), oneOf('status', batchStatusesBeforeAnEnd));
    const line = lineWrite(batchId, ids.sortable(), { at, code: 'batch.cancel_requested', by, note });
    const result = await change(batchId, setting({ cancelRequestedAt: at }), condition, [line]);
    // A repeated request counts as one. Only a batch that has ended refuses it.
    const asked = result.batch.cancelRequestedAt !== undefined && !isBatchEnd(result.batch.status);
    return asked ? { kind: 'moved', batch: result.batch } : result;
  };

  const scheduleBatch: BatchLedger['scheduleBatch'] = ({ batchId, statusSince, executions }) => {
    const at = isoNow(clock);
    const next = executions + 1;
    const { event, from, to } = batchTransitions.schedule;
    return change(
      batchId,
      setting({ ...movedTo(to, at), executions: next }),
      and(
        oneOf('status', from),
        equals('statusSince', statusSince),
        equals('executions', executions),
        absent('cancelRequestedAt'),
      ),
      [
        lineWrite(batchId, ids.sortable(), { at, code: event, by: 'system', detail: `${batchId}-${next}` }),
        newsWrite(batchId, ids.sortable(), batchNews(at, batchTransitions.schedule)),
      ],
    );
  };

  const beginExecution: BatchLedger['beginExecution'] = (batchId, executions, by, note) => {
    const next = executions + 1;
    const line = { at: isoNow(clock), code: 'batch.execution_started', by, detail: `${batchId}-${next}`, note };
    return change(
      batchId,
      setting({ executions: next, executionEnded: null }),
      // Does not depend on executionEnded: execution n has ended, no matter how late that is recorded.
      equals('executions', executions),
      [lineWrite(batchId, ids.sortable(), line)],
    );
  };

  return { moveBatch, amendBatch, scheduleBatch, requestCancel, beginExecution };
};
