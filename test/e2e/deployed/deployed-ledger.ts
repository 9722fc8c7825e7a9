import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SFNClient, StopExecutionCommand } from '@aws-sdk/client-sfn';
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { ulid } from 'ulid';
import { inject } from 'vitest';
import type { BatchView } from '../../../functions/api/schemas/batch.ts';
import type { PayoutView } from '../../../functions/api/schemas/payout.ts';
import type { Release } from '../../../functions/domain/batch/batch.ts';
import { payoutTransitions } from '../../../functions/domain/payout/payout-status.ts';
import { releaseItem } from '../../../functions/ledger/batches/batch-codec.ts';
import { createLedger } from '../../../functions/ledger/ledger.ts';
import type { Key } from '../../../functions/ledger/table/keys.ts';
import { keys } from '../../../functions/ledger/table/keys.ts';
import type { Clock } from '../../../functions/ports/environment.ts';
import type { CheckedRail } from '../../../functions/ports/ledger/provider-check-ledger.ts';
import { day } from '../../support/durations.ts';

const outputs = () => inject('localAws').outputs.PayoutOrchestrator;
const client = () =>
  DynamoDBDocumentClient.from(new DynamoDBClient({}), { marshallOptions: { removeUndefinedValues: true } });

/** The deployed orchestrator's ledger, to write a step's changes before its crash. */
export const deployedLedger = (clock: Clock = Date.now) =>
  createLedger({
    client: client(),
    table: outputs().LedgerTable,
    clock,
    ids: { sortable: () => ulid(), unique: () => crypto.randomUUID() },
    random: Math.random,
  });

/** @param attribute of the item, or of its maps: `proof.bytes` */
const amend = async (key: Key, attribute: string, value?: unknown): Promise<void> => {
  const names = attribute.split('.');
  const path = names.map((name) => `#${name}`).join('.');
  await client().send(
    new UpdateCommand({
      TableName: outputs().LedgerTable,
      Key: { ...key },
      UpdateExpression: value === undefined ? `REMOVE ${path}` : `SET ${path} = :value`,
      ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
      ...(value === undefined ? {} : { ExpressionAttributeValues: { ':value': value } }),
    }),
  );
};

/** Backdates the first call of the payout's chunk, so that an absence counts immediately. */
export const ageCall = ({ batchId, chunk }: PayoutView): Promise<void> =>
  amend(keys.call(batchId, chunk, 1), 'claimedAt', '2026-01-01T00:00:00.000Z');

/** Quarantines the payout, as three absences do. */
export const quarantineNow = async (payout: PayoutView): Promise<void> => {
  const reason = { code: 'absent_but_not_repeatable', message: 'Nobody knows.' };
  const moved = await deployedLedger().movePayout(payout, payoutTransitions.quarantine, { reason });
  if (moved.kind !== 'moved') throw new Error(`${payout.reference} is ${moved.payout.status}`);
  await deployedLedger().refreshChunk(payout.batchId, payout.chunk);
};

/** Removes the provider's acknowledgement of the payout. */
export const forgetDisbursement = ({ batchId, chunk, row }: PayoutView): Promise<void> =>
  amend(keys.payout(batchId, chunk, row), 'disbursementId');

export const forgetProof = async ({ batchId, chunk, row }: PayoutView): Promise<void> => {
  await amend(keys.payout(batchId, chunk, row), 'proof');
  await deployedLedger().refreshChunk(batchId, chunk);
};

/** Records a larger proof than the archived one. */
export const enlargeProof = ({ batchId, chunk, row }: PayoutView, bytes: number): Promise<void> =>
  amend(keys.payout(batchId, chunk, row), 'proof.bytes', bytes);

/** Marks the batch as released with these conversions. */
export const markReleased = (batchId: string, conversions: Release['conversions']): Promise<void> =>
  amend(
    keys.batch(batchId),
    'release',
    releaseItem({ hash: 'h', at: '2026-01-01T00:00:00.000Z', day: '2026-01-01', conversions }),
  );

/** Backdates the last lookup caused by a webhook, so that the next may begin. */
export const ageLookUp = (reference: string): Promise<void> =>
  amend(keys.lookup(reference), 'askedAt', '2026-01-01T00:00:00.000Z');

/** Backdates the last check of the provider, so that the next batch repeats it. */
export const ageProviderFit = (of: CheckedRail): Promise<void> =>
  amend(keys.providerCheck(of), 'fitAt', '2026-01-01T00:00:00.000Z');

/** Makes the first comparison of an ended batch due. */
export const makeDue = async ({ batchId, since }: Pick<BatchView, 'batchId' | 'since'>): Promise<void> => {
  // It is due a day after ReportBatch asked for it, which may be a millisecond before the batch ended.
  const later = deployedLedger(() => Date.now() + 2 * day);
  const due = (await later.listDueReconciliations()).find((listed) => listed.batchId === batchId);
  const planned = due && (await later.readReconciliation(due));
  if (planned === undefined) throw new Error(`no comparison of ${batchId} is due within two days`);
  await deployedLedger().endReconciliation(planned, { ...planned, dueAt: since });
};

/** Stops an execution, as someone in the console does. */
export const stopExecution = async (name: string): Promise<void> => {
  const executionArn = `${outputs().StateMachineArn.replace(':stateMachine:', ':execution:')}:${name}`;
  await new SFNClient().send(new StopExecutionCommand({ executionArn }));
};
