import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { payoutPage } from '../../../functions/api/schemas/payout.ts';
import { resetSandbox } from '../../support/payment-service/deposits/checkouts.ts';
import { credentials } from '../../support/payment-service/merchant.ts';
import { tronAddress } from '../../support/wallet-addresses.ts';
import { ageCall, forgetDisbursement, quarantineNow } from '../deployed/deployed-ledger.ts';
import {
  act,
  answerOf,
  csvOf,
  freshReference,
  funds,
  heldRow,
  heldWallet,
  idrRow,
  operator,
  payoutOf,
  readReport,
  start,
  statusAsOfNow,
  statusOf,
  until,
  untilEnded,
  upload,
  walletRow,
} from '../deployed/deployed-orchestrator.ts';
import { setFaults } from '../deployed/deployed-sandbox.ts';

const settle = (reference: string, decision: string, more: object = {}) =>
  operator().send({
    method: 'POST',
    path: `/payouts/${reference}/settle`,
    body: { decision, reason: `tried: ${decision}`, ...more },
  });

const problem = (code: string) => ({ type: `urn:payout-orchestrator:problem:${code}` });

// One story: each test goes on from the one before.
describe('payouts that need a person', () => {
  const [adopted, vouched, unpaid] = [freshReference(), freshReference(), freshReference()];
  let batchId = '';

  const quarantine = async (reference: string) => quarantineNow(await payoutOf(reference));

  beforeAll(async () => {
    const rows = [heldRow(adopted), heldRow(vouched), heldRow(unpaid), idrRow()];
    batchId = await start(await upload(csvOf(...rows)));
    await untilEnded(batchId);
  });

  it('show that the provider holds them, and cannot be settled by an operator meanwhile', async () => {
    const batch = await statusOf(batchId);
    expect(batch).toMatchObject({ status: 'partially_completed', actions: ['resume'] });
    expect(batch.attention).toMatchObject([{ code: 'payouts_on_hold', count: 3 }]);
    expect(await payoutOf(unpaid)).toMatchObject({ status: 'on_hold', wayOut: { code: 'payout_on_hold' } });
    expect(await settle(unpaid, 'not_paid')).toMatchObject({ status: 409, body: problem('payout_conflict') });
  });

  it('take the provider’s status when it knows them, also by resuming', async () => {
    await quarantine(adopted);
    await quarantine(vouched);
    await quarantine(unpaid);
    expect(await payoutOf(adopted)).toMatchObject({
      status: 'quarantined',
      wayOut: { requests: expect.arrayContaining([`POST /payouts/${adopted}/settle`]) },
    });
    expect((await statusAsOfNow(batchId)).attention.map(({ code }) => code)).toContain('payouts_quarantined');
    const { disbursementId = '' } = await payoutOf(adopted);
    const other = (await payoutOf(vouched)).disbursementId;
    const wrong = await settle(adopted, 'as_provider_says', { disbursementId: other });
    expect(wrong).toMatchObject({ status: 409, body: problem('evidence_contradicts') });
    expect(await settle(adopted, 'as_provider_says', { disbursementId })).toMatchObject({
      body: { status: 'on_hold' },
    });
    expect(await settle(unpaid, 'not_paid')).toMatchObject({ status: 409, body: problem('too_early') });
    await ageCall(await payoutOf(unpaid));
    expect(await settle(unpaid, 'not_paid')).toMatchObject({ status: 409, body: problem('evidence_contradicts') });
    expect(await settle(vouched, 'paid')).toMatchObject({ status: 200, body: { status: 'completed' } });
    // The provider still holds the third one, so resuming looks it up again.
    await Promise.all([act(batchId, 'resume'), act(batchId, 'resume')]);
    await until(batchId, ({ counts }) => counts.on_hold === 2);
    expect((await payoutOf(unpaid)).status).toBe('on_hold');
    await until(batchId, ({ actions, executions }) => executions.length === 2 && actions.includes('resume'));
  });

  it('end as not paid when the provider does not know them, and are in retry.csv under a new reference', async () => {
    await until(batchId, ({ attention }) => !attention.some(({ code }) => code === 'report_outdated'));
    await quarantine(unpaid);
    await forgetDisbursement(await payoutOf(unpaid));
    await resetSandbox(credentials);
    const first = await settle(unpaid, 'not_paid');
    expect(first).toMatchObject({ status: 200, body: { status: 'rejected', reason: { code: 'settled_not_paid' } } });
    expect(answerOf(await settle(unpaid, 'not_paid'))).toEqual(answerOf(first));
    const changed = await statusOf(batchId);
    expect(changed.attention.map(({ code }) => code)).toContain('report_outdated');
    const trail = changed.timeline.filter(({ code }) => code === 'payout.settled');
    expect(trail.map(({ note }) => note)).toEqual(['tried: as_provider_says', 'tried: paid', 'tried: not_paid']);
    expect(trail.every(({ by }) => by.startsWith('arn:aws:'))).toBe(true);
    await act(batchId, 'resume');
    await until(batchId, ({ attention }) => !attention.some(({ code }) => code === 'report_outdated'));
    const retry = await readReport(batchId, 'retry.csv');
    expect(retry).toContain(`${unpaid}.r1`);
    expect(retry).not.toContain(vouched);
    const again = await untilEnded(await start(await upload(retry.replace(heldWallet, tronAddress('not held')))));
    expect(again).toMatchObject({ status: 'completed', counts: { completed: 1 } });
  });
});

describe('a payout that the provider pays twice under one reference', () => {
  const [twice, once] = [freshReference(), freshReference()];
  afterAll(() => setFaults());

  it('ends, needs attention, and is noted by an operator once', async () => {
    const fault = { endpoint: 'POST /v1/disbursement/crypto', fault: 'reference-twice', next: 1 };
    await setFaults(fault);
    const row = walletRow('usdc-polygon', '2.5', twice);
    const ended = await untilEnded(await start(await upload(csvOf(row, idrRow({ reference: once })))));
    expect(ended).toMatchObject({ status: 'completed', counts: { completed: 2 } });
    expect(ended.attention).toMatchObject([{ code: 'payouts_contradicted', count: 1, since: expect.any(String) }]);
    expect(ended.timeline.filter(({ code }) => code === 'payout.contradicted')).toHaveLength(1);
    const listed = await operator().ask(
      { method: 'GET', path: `/batches/${ended.batchId}/payouts?contradicted=true` },
      payoutPage,
    );
    expect(listed.payouts).toMatchObject([
      {
        reference: twice,
        status: 'completed',
        contradictions: [{ code: 'reference_used_twice', noted: false }],
        wayOut: { code: 'payout_contradicted', requests: [`POST /payouts/${twice}/settle`] },
      },
    ]);
    const [found] = listed.payouts;
    expect(found?.contradictions?.[0]?.disbursementId).not.toBe(found?.disbursementId);
    expect(await readReport(ended.batchId, 'results.csv')).toContain('reference_used_twice:');

    expect(await settle(once, 'noted')).toMatchObject({ status: 409, body: problem('nothing_contradicts') });
    const first = await settle(twice, 'noted');
    expect(first).toMatchObject({ status: 200, body: { status: 'completed', contradictions: [{ noted: true }] } });
    expect(answerOf(await settle(twice, 'noted'))).toEqual(answerOf(first));
    const seen = await statusOf(ended.batchId);
    expect(seen.attention.map(({ code }) => code)).toEqual(['report_outdated']);
    expect(seen.timeline.filter(({ note }) => note === 'tried: noted')).toHaveLength(1);
  });
});

describe('after this file', () => {
  it('only batches that await funds hold a reservation', async () => {
    const held = (await funds()).reservations.filter(({ batchStatus }) => batchStatus !== 'awaiting_funds');
    expect(held).toEqual([]);
  });
});
