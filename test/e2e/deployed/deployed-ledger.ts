import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SFNClient, StopExecutionCommand } from '@aws-sdk/client-sfn';
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { ulid } from 'ulid';
import { inject } from 'vitest';
import type { BatchView } from '../../../functions/api/schemas/batch.ts';
import type { PayoutView } from '../../../functions/api/schemas/payout.ts';
import type { Release } from '../../../functions/domain/batch/batch.ts';
import { payoutTransitions } from '../../../functions/domain/payout/payout-status.ts';
import { releaseItem } from '../../../functions/ledger/funds/funding-codec.ts';
import { createLedger } from '../../../functions/ledger/ledger.ts';
import type { Key } from '../../../functions/ledger/table/keys.ts';
import { keys } from '../../../functions/ledger/table/keys.ts';
import type { CheckedRail } from '../../../functions/ports/ledger/provider-check.ts';

const outputs = () => inject('localAws').outputs.PayoutOrchestrator;
const client = () =>
  DynamoDBDocumentClient.from(new DynamoDBClient({}), { marshallOptions: { removeUndefinedValues: true } });

/** The ledger of the deployed orchestrator: what a step would have written before it crashed. */
export const deployedLedger = () =>
  createLedger({
    client: client(),
    table: outputs().LedgerTable,
    clock: Date.now,
    ids: { sortable: () => ulid(), unique: () => crypto.randomUUID() },
    random: Math.random,
  });

const amend = async (key: Key, attribute: string, value?: unknown): Promise<void> => {
  await client().send(
    new UpdateCommand({
      TableName: outputs().LedgerTable,
      Key: { ...key },
      UpdateExpression: value === undefined ? 'REMOVE #attribute' : 'SET #attribute = :value',
      ExpressionAttributeNames: { '#attribute': attribute },
      ...(value === undefined ? {} : { ExpressionAttributeValues: { ':value': value } }),
    }),
  );
};

/** Makes the payout one whose call was made long ago: its absence proves something. */
export const ageCall = ({ batchId, chunk }: PayoutView): Promise<void> =>
  amend(keys.call(batchId, chunk, 1), 'claimedAt', '2026-01-01T00:00:00.000Z');

/** Leaves the payout to a person, as three looks in vain do. */
export const quarantineNow = async (payout: PayoutView): Promise<void> => {
  const reason = { code: 'absent_but_not_repeatable', message: 'Nobody knows.' };
  const moved = await deployedLedger().movePayout(payout, payoutTransitions.quarantine, { reason });
  if (moved.kind !== 'moved') throw new Error(`${payout.reference} is ${moved.payout.status}`);
  await deployedLedger().refreshChunk(payout.batchId, payout.chunk);
};

/** Makes the payout one that the provider has never acknowledged. */
export const forgetDisbursement = ({ batchId, chunk, row }: PayoutView): Promise<void> =>
  amend(keys.payout(batchId, chunk, row), 'disbursementId');

export const forgetProof = async ({ batchId, chunk, row }: PayoutView): Promise<void> => {
  await amend(keys.payout(batchId, chunk, row), 'proof');
  await deployedLedger().refreshChunk(batchId, chunk);
};

/** Makes the batch one that was released with these conversions. */
export const markReleased = (batchId: string, conversions: Release['conversions']): Promise<void> =>
  amend(
    keys.batch(batchId),
    'release',
    releaseItem({ hash: 'h', at: '2026-01-01T00:00:00.000Z', day: '2026-01-01', conversions }),
  );

/** Makes the last look-up because of a webhook one of long ago: the next may begin. */
export const ageLookUp = (reference: string): Promise<void> =>
  amend(keys.lookup(reference), 'askedAt', '2026-01-01T00:00:00.000Z');

/** Makes the last look at the provider one of long ago: before the next batch it is looked at again. */
export const ageProviderFit = (of: CheckedRail): Promise<void> =>
  amend(keys.providerCheck(of), 'fitAt', '2026-01-01T00:00:00.000Z');

/** Makes the first comparison of a batch that has ended due. */
export const makeDue = async ({ batchId, since }: Pick<BatchView, 'batchId' | 'since'>): Promise<void> => {
  const dueAt = new Date(Date.parse(since) + 86_400_000).toISOString();
  const planned = await deployedLedger().readReconciliation({ batchId, dueAt });
  if (planned === undefined) throw new Error(`no comparison of ${batchId} is due at ${dueAt}`);
  await deployedLedger().endReconciliation(planned, { ...planned, dueAt: since });
};

/** Stops an execution as somebody in the console does. */
export const stopExecution = async (name: string): Promise<void> => {
  const executionArn = `${outputs().StateMachineArn.replace(':stateMachine:', ':execution:')}:${name}`;
  await new SFNClient().send(new StopExecutionCommand({ executionArn }));
};
