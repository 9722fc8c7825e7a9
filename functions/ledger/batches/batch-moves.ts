import type { Batch } from '../../domain/batch/batch.ts';
import { batchStatusesBeforeAnEnd, batchTransitions, isBatchEnd } from '../../domain/batch/batch-status.ts';
import { InvariantBroken } from '../../domain/errors.ts';
import { batchNews } from '../../domain/events/news.ts';
import { given } from '../../domain/given.ts';
import { isoNow } from '../../ports/environment.ts';
import type { BatchChanges, BatchLedger, Corrected, MoveBatch } from '../../ports/ledger/batch-ledger.ts';
import { newsWrite } from '../events/events-codec.ts';
import type { Expression } from '../table/expressions.ts';
import {
  absent,
  and,
  asRead,
  atMost,
  changingSets,
  equals,
  fieldEquals,
  lacks,
  oneOf,
  or,
  present,
  setting,
} from '../table/expressions.ts';
import { keys } from '../table/keys.ts';
import type { Item, PartDependencies } from '../table/store.ts';
import type { Write } from '../table/writes.ts';
import type { NewLine } from './batch-codec.ts';
import { batchAttributes, lineWrite, movedTo, readBatch } from './batch-codec.ts';
import { batchesOfMark, checkMark, joinMark, leaveMark } from './file-mark.ts';
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
 * Adds this batch to the earlier batches whose rows it corrects or whose payouts it retries. Each corrected batch must still have
 * the corrections that were read. A batch may be in both lists, but a transaction writes an item only once.
 */
const joinEarlier = (batchId: string, corrected: readonly Corrected[], retried: readonly string[]): readonly Write[] =>
  [...new Set([...corrected.map((one) => one.batchId), ...retried])].map((earlier): Write => {
    const correction = corrected.find((one) => one.batchId === earlier);
    const joined = {
      ...(correction === undefined ? {} : { correctedBy: [batchId] }),
      ...(retried.includes(earlier) ? { retriedBy: [batchId] } : {}),
    };
    const condition = correction && asRead('correctedBy', correction.correctedBy);
    return { kind: 'update', key: keys.batch(earlier), update: changingSets('ADD', joined), ...given({ condition }) };
  });

/**
 * Every change of a batch after its creation. Each is one conditional write. All but amendBatch and recordPlan write a line of
 * the timeline with it.
 */
export const createBatchMoves = ({ store, clock, ids }: PartDependencies) => {
  const batchOf = (batchId: string, item: Item | undefined): Batch => {
    if (item === undefined) throw new InvariantBroken(`batch_missing: ${batchId}`);
    return readBatch(item);
  };
  const getBatch = async (batchId: string): Promise<Batch> => batchOf(batchId, await store.get(keys.batch(batchId)));

  const withLine = async (
    batchId: string,
    change: { readonly update: Expression; readonly condition: Expression },
    line: NewLine,
    alongside: readonly Write[] = [],
  ): Promise<MoveBatch> => {
    const result = await store.transact([
      { kind: 'update', key: keys.batch(batchId), ...change, returnsOld: true },
      lineWrite(batchId, ids.sortable(), line),
      ...alongside,
    ]);
    return result.kind === 'written'
      ? { kind: 'moved', batch: await getBatch(batchId) }
      : { kind: 'refused', batch: batchOf(batchId, result.writes[0]?.item) };
  };

  const moveBatch: BatchLedger['moveBatch'] = async (batchId, transition, by, changes = {}, { detail, note } = {}) => {
    const at = isoNow(clock);
    const { update, conditions } = changing(changes);
    const { reconcileAt: dueAt } = changes;
    const alongside = [
      newsWrite(batchId, ids.sortable(), batchNews(at, transition, changes.reason)),
      ...(transition.freesFile === true ? await leavingItsFile(batchId) : []),
      ...(dueAt === undefined ? [] : [reconciliationWrite({ batchId, endedAt: at, dueAt, round: 0 })]),
    ];
    return withLine(
      batchId,
      {
        update: setting({ ...movedTo(transition.to, at), ...update }),
        condition: and(oneOf('status', transition.from), ...conditions),
      },
      { at, code: transition.event, by, detail, note },
      alongside,
    );
  };

  const leavingItsFile = async (batchId: string): Promise<readonly Write[]> => {
    const { mode, file, plan } = await getBatch(batchId);
    const content = plan?.sha256 === undefined ? [] : [keys.content(plan.sha256)];
    return mode === 'disburse' ? [keys.file(file), ...content].map((key) => leaveMark(key, batchId)) : [];
  };

  const amendBatch: BatchLedger['amendBatch'] = async (batchId, whileStatus, changes) => {
    const { update, conditions } = changing(changes);
    const condition = and(oneOf('status', whileStatus), ...conditions);
    const result = await store.update(keys.batch(batchId), setting(update), condition);
    return { kind: result.kind === 'written' ? 'moved' : 'refused', batch: batchOf(batchId, result.item) };
  };

  const recordPlan: BatchLedger['recordPlan'] = async (batch, plan, corrected = []) => {
    const { batchId, mode } = batch;
    const content = keys.content(plan.sha256);
    const retried = (plan.retries ?? []).map((one) => one.batchId);
    const result = await store.transact([
      {
        kind: 'update',
        key: keys.batch(batchId),
        update: setting(batchAttributes({ plan, claimUpTo: plan.canaryChunks ?? null })),
        condition: and(oneOf('status', ['validating']), absent('plan')),
        returnsOld: true,
      },
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

  const requestCancel: BatchLedger['requestCancel'] = async (batchId, by, note) => {
    const at = isoNow(clock);
    const update = setting({ cancelRequestedAt: at });
    const condition = and(absent('cancelRequestedAt'), oneOf('status', batchStatusesBeforeAnEnd));
    const line = { at, code: 'batch.cancel_requested', by, note };
    const result = await withLine(batchId, { update, condition }, line);
    // A repeated request counts as one. Only a batch that has ended refuses it.
    const asked = result.batch.cancelRequestedAt !== undefined && !isBatchEnd(result.batch.status);
    return asked ? { kind: 'moved', batch: result.batch } : result;
  };

  const scheduleBatch: BatchLedger['scheduleBatch'] = ({ batchId, statusSince, executions }) => {
    const at = isoNow(clock);
    const next = executions + 1;
    const { event, from, to } = batchTransitions.schedule;
    return withLine(
      batchId,
      {
        update: setting({ ...movedTo(to, at), executions: next }),
        condition: and(
          oneOf('status', from),
          equals('statusSince', statusSince),
          equals('executions', executions),
          absent('cancelRequestedAt'),
        ),
      },
      { at, code: event, by: 'system', detail: `${batchId}-${next}` },
      [newsWrite(batchId, ids.sortable(), batchNews(at, batchTransitions.schedule))],
    );
  };

  const beginExecution: BatchLedger['beginExecution'] = (batchId, executions, by, note) => {
    const next = executions + 1;
    return withLine(
      batchId,
      {
        update: setting({ executions: next, executionEnded: null }),
        // Does not depend on executionEnded: execution n has ended, no matter how late that is recorded.
        condition: equals('executions', executions),
      },
      { at: isoNow(clock), code: 'batch.execution_started', by, detail: `${batchId}-${next}`, note },
    );
  };

  return { moveBatch, amendBatch, recordPlan, scheduleBatch, requestCancel, beginExecution };
};
