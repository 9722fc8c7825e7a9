import { describe, expect, it } from 'vitest';
import { endExecution } from '../../../functions/batches/end-execution.ts';
import { batchTransitions } from '../../../functions/domain/batch/batch-status.ts';
import { recordFailure } from '../../../functions/steps/record-failure.ts';
import type { BatchScene } from '../../support/scenes/batch-scene.ts';
import { batchId, createBatchScene } from '../../support/scenes/batch-scene.ts';

const reason = { code: 'step_failed', message: 'A step failed.' };

const end = async ({ ledger, ...scene }: BatchScene, execution = 1) =>
  endExecution(ledger, await scene.batch(), execution, reason);

describe('the end of an execution before its batch’s end', () => {
  it('pauses the batch with its reason, to continue from its status', async () => {
    const scene = await createBatchScene();
    expect(await end(scene)).toMatchObject({ status: 'paused', resumeTo: 'processing', executionEnded: true, reason });
    expect(await scene.batch()).toMatchObject({ status: 'paused', executionEnded: true });
  });

  it('keeps the reason of an earlier pause', async () => {
    const scene = await createBatchScene();
    const own = { code: 'paused_by_operator', message: 'By hand.' };
    await scene.ledger.moveBatch(batchId, batchTransitions.pause, 'arn:person', {
      reason: own,
      resumeTo: 'processing',
    });
    expect(await end(scene)).toMatchObject({ status: 'paused', executionEnded: true, reason: own });
  });

  it('does not touch a batch with a newer execution', async () => {
    const scene = await createBatchScene();
    await scene.ledger.beginExecution(batchId, 1, 'arn:person');
    expect(await end(scene)).toMatchObject({ status: 'processing', executions: 2 });
    expect(await scene.batch()).not.toHaveProperty('executionEnded');
    expect(await end(scene, 2)).toMatchObject({ status: 'paused', executionEnded: true });
  });

  it('is not overwritten by a concurrent resume', async () => {
    const scene = await createBatchScene();
    await scene.pause();
    const read = await scene.batch();
    await scene.resume();
    expect(await endExecution(scene.ledger, read, 1, reason)).toMatchObject({
      status: 'paused',
      executionEnded: true,
      resumeTo: 'processing',
    });
  });

  it('pauses a batch that has begun to disburse since it was read, to continue with that', async () => {
    const scene = await createBatchScene();
    const read = { ...(await scene.batch()), status: 'awaiting_funds' } as const;
    expect(await endExecution(scene.ledger, read, 1, reason)).toMatchObject({
      status: 'paused',
      resumeTo: 'processing',
    });
  });

  it('ends a canceled batch without pausing it', async () => {
    const scene = await createBatchScene();
    await scene.ledger.moveBatch(batchId, batchTransitions.cancel, 'system');
    expect(await end(scene)).toMatchObject({ status: 'canceled', executionEnded: true });
  });
});

describe('a failed execution', () => {
  it.each([
    ['ProviderUnavailable', 'provider_unavailable'],
    ['ProviderMisconfigured', 'provider_misconfigured'],
    ['ProviderRefused', 'provider_refused'],
    ['AccountChanged', 'account_changed'],
    ['NoFeeEstimate', 'no_fee_estimate'],
    ['InvariantBroken', 'invariant_broken'],
    ['CurrencyMismatch', 'invariant_broken'],
    ['States.Timeout', 'step_timed_out'],
    ['Sandbox.Timedout', 'step_timed_out'],
    ['Lambda.Unknown', 'step_broke_off'],
    ['Runtime.ExitError', 'step_broke_off'],
    ['Runtime.OutOfMemory', 'step_broke_off'],
    ['Lambda.TooManyRequestsException', 'no_capacity'],
    ['Lambda.ResourceNotReadyException', 'no_capacity'],
    ['TypeError', 'step_failed'],
  ])('of %s pauses its batch with the reason %s, once', async (name, code) => {
    const scene = await createBatchScene();
    await recordFailure(scene, { batchId, execution: batchId, error: { Error: name, Cause: '' } });
    const expected = { status: 'paused', resumeTo: 'processing', executionEnded: true, reason: { code } };
    expect(await scene.batch()).toMatchObject(expected);
    await recordFailure(scene, { batchId, execution: batchId, error: { Error: 'another', Cause: '' } });
    expect(await scene.batch()).toMatchObject(expected);
  });

  it.each([
    ['ProviderMisconfigured', '{"errorMessage":"told"}', / Correct them, then resume\. told$/],
    ['ProviderMisconfigured', '{"errorMessage":"to', / Correct them, then resume\.$/],
    ['ProviderMisconfigured', '{"other":1}', / Correct them, then resume\.$/],
    [
      'ProviderRefused',
      '{"errorMessage":"GET /v1/balance: status_403"}',
      /then resume\. GET \/v1\/balance: status_403$/,
    ],
    ['AccountChanged', '{"errorMessage":"told"}', /A batch that does not disburse yet can also be canceled\. told$/],
    // Any other error may quote its input.
    ['TypeError', '{"errorMessage":"told"}', /or cancel\.$/],
  ])('of %s says what to correct, and no foreign error text: %s', async (name, cause, message) => {
    const scene = await createBatchScene();
    await recordFailure(scene, { batchId, execution: batchId, error: { Error: name, Cause: cause } });
    expect((await scene.batch()).reason?.message).toMatch(message);
  });

  it('that reports its end again does not touch a batch with a newer execution', async () => {
    const scene = await createBatchScene();
    await scene.ledger.beginExecution(batchId, 1, 'arn:person');
    await recordFailure(scene, { batchId, execution: batchId, error: { Error: 'TypeError', Cause: '' } });
    expect((await scene.batch()).status).toBe('processing');
    await recordFailure(scene, { batchId, execution: `${batchId}-2`, error: { Error: 'TypeError', Cause: '' } });
    expect(await scene.batch()).toMatchObject({ status: 'paused', executionEnded: true });
  });
});
