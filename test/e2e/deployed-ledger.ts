import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SFNClient, StopExecutionCommand } from '@aws-sdk/client-sfn';
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { ulid } from 'ulid';
import { inject } from 'vitest';
import type { PayoutView } from '../../functions/api/schemas/payout.ts';
import type { Release } from '../../functions/domain/batch.ts';
import type { Key } from '../../functions/ledger/keys.ts';
import { keys } from '../../functions/ledger/keys.ts';
import { createLedger } from '../../functions/ledger/ledger.ts';

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

/** Makes the payout one that the provider has never acknowledged. */
export const forgetDisbursement = ({ batchId, chunk, row }: PayoutView): Promise<void> =>
  amend(keys.payout(batchId, chunk, row), 'disbursementId');

export const forgetProof = async ({ batchId, chunk, row }: PayoutView): Promise<void> => {
  await amend(keys.payout(batchId, chunk, row), 'proof');
  await deployedLedger().refreshChunk(batchId, chunk);
};

/** Makes the batch one that was released with these conversions. */
export const markReleased = (batchId: string, conversions: Release['conversions']): Promise<void> =>
  amend(keys.batch(batchId), 'release', { hash: 'h', at: '2026-01-01T00:00:00.000Z', day: '2026-01-01', conversions });

/** Makes the last look-up because of a webhook one of long ago: the next may begin. */
export const ageLookUp = (reference: string): Promise<void> =>
  amend(keys.lookup(reference), 'askedAt', '2026-01-01T00:00:00.000Z');

/** Stops an execution as somebody in the console does. */
export const stopExecution = async (name: string): Promise<void> => {
  const executionArn = `${outputs().StateMachineArn.replace(':stateMachine:', ':execution:')}:${name}`;
  await new SFNClient().send(new StopExecutionCommand({ executionArn }));
};
