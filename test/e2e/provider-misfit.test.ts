import { GetExecutionHistoryCommand, SFNClient } from '@aws-sdk/client-sfn';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { hasEnded } from '../../functions/api/schemas/batch.ts';
import { createProviderCheck } from '../../functions/provider/check/preflight.ts';
import { connection, deployedProvider, merchantCredentials } from '../contract/provider/deployed-service.ts';
import { ageProviderFit, deployedLedger } from './deployed/deployed-ledger.ts';
import {
  act,
  csvOf,
  freshReference,
  idrRow,
  start,
  until,
  untilEnded,
  upload,
} from './deployed/deployed-orchestrator.ts';
import { setFaults } from './deployed/deployed-sandbox.ts';

const looked = {
  rail: 'fiat',
  settingsHash: createProviderCheck(connection(merchantCredentials)).settingsHash,
} as const;

const lambdaError = z.object({ errorMessage: z.string() });

/** Reads of the provider under the read-only credential. */
const reads = ['GET /v1/disbursement/fiat', 'GET /v1/disbursement/fiat/:id'];

/**
 * What the steps of its execution failed for. The local AWS hands every error on as Runtime.HandlerError. The batch's reason
 * goes by the error's name, so it is another one here than on AWS.
 */
const causesOf = async (batchId: string): Promise<readonly string[]> => {
  const { StateMachineArn } = inject('localAws').outputs.PayoutOrchestrator;
  const executionArn = `${StateMachineArn.replace(':stateMachine:', ':execution:')}:${batchId}`;
  const { events = [] } = await new SFNClient().send(new GetExecutionHistoryCommand({ executionArn }));
  return events.flatMap(({ taskFailedEventDetails: failed }) =>
    failed?.cause === undefined ? [] : [lambdaError.parse(JSON.parse(failed.cause)).errorMessage],
  );
};

describe('a batch whose provider does not match the settings', () => {
  afterAll(() => setFaults());

  it.each([
    ['that refuses the secret', 'refuse-credentials', '401 "Unauthorized". Correct the secret, provider.signing, or'],
    ['that is no payment service', 'unparsable', 'unreadable_body. Correct provider.baseUrl: the server there'],
  ])('%s: pauses before anything is sent, names the reason, and is paid once corrected', async (_, fault, cause) => {
    // Earlier batches may have found within the hour that the provider fits.
    await ageProviderFit(looked);
    await setFaults(...reads.map((endpoint) => ({ endpoint, fault, probability: 1 })));
    const reference = freshReference();
    const batchId = await start(await upload(csvOf(idrRow({ reference }))));
    const paused = await until(batchId, (batch) => batch.status === 'paused' || hasEnded(batch));
    expect(paused.status).toBe('paused');
    expect(await causesOf(batchId)).toContainEqual(expect.stringContaining(`fiat list: page size: ${cause}`));
    expect(paused.actions).toContain('resume');

    await setFaults();
    expect(await deployedProvider().lookUp('fiat', reference)).toEqual({ kind: 'absent' });
    const correctedAt = new Date().toISOString();
    expect((await act(batchId, 'resume')).status).toBe(202);
    expect(await untilEnded(batchId)).toMatchObject({ status: 'completed', counts: { completed: 1 } });
    expect(await deployedLedger().readProviderFit(looked)).toSatisfy((fitAt: string) => fitAt >= correctedAt);
  });
});
