import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import type { PayoutView } from '../../../functions/api/schemas/payout.ts';
import {
  csvOf,
  freshReference,
  heldRow,
  idrRow,
  payoutOf,
  start,
  statusAsOfNow,
  statusOf,
  untilEnded,
  upload,
} from '../deployed/deployed-orchestrator.ts';
import { setStatus } from '../deployed/deployed-sandbox.ts';
import { webhookAddress } from '../deployed/deployed-webhooks.ts';

const outputs = () => inject('localAws').outputs.PayoutOrchestrator;

const send = (url: string, body: string): Promise<Response> => fetch(url, { method: 'POST', body });

const untilStatus = async (reference: string, status: PayoutView['status']): Promise<PayoutView> => {
  const deadline = Date.now() + 30_000;
  let payout = await payoutOf(reference);
  while (payout.status !== status && Date.now() < deadline) {
    await wait(250);
    payout = await payoutOf(reference);
  }
  return payout;
};

describe('a webhook', () => {
  const held = freshReference();
  const paid = freshReference();
  let batchId: string;

  beforeAll(async () => {
    const file = csvOf(idrRow({ reference: paid }), heldRow(held));
    batchId = (await untilEnded(await start(await upload(file)))).batchId;
  });

  it('that is forged changes nothing, because the provider’s answer differs', async () => {
    const { disbursementId } = await payoutOf(paid);
    const before = await statusOf(batchId);
    const forged = JSON.stringify({ event: 'disbursement.updated', data: { disbursementId, status: 'failed' } });
    expect((await send(await webhookAddress(), forged)).status).toBe(202);
    expect((await send(await webhookAddress(), forged)).status).toBe(202);
    await wait(3000);
    expect((await payoutOf(paid)).status).toBe('completed');
    expect((await statusAsOfNow(batchId)).counts).toEqual(before.counts);
  });

  it('at an unknown address is not found', async () => {
    expect((await send(`${outputs().ApiUrl}/webhooks/somebody-guesses`, '{}')).status).toBe(404);
  });

  it('of more than 64 KiB is refused', async () => {
    expect((await send(await webhookAddress(), JSON.stringify({ filler: 'x'.repeat(70_000) }))).status).toBe(413);
  });

  it('brings a held payout to its end, even after its batch was reported', async () => {
    expect((await statusAsOfNow(batchId)).counts).toMatchObject({ on_hold: 1 });
    await setStatus(held, 'completed');
    expect(await untilStatus(held, 'completed')).toMatchObject({ status: 'completed' });
    expect((await statusAsOfNow(batchId)).counts).toEqual({ completed: 2 });
  });
});
