import Big from 'big.js';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import type { BatchView } from '../../functions/api/schemas/batch.ts';
import { payoutView } from '../../functions/api/schemas/payout.ts';
import { allPayouts } from '../../infra/local/batch/check-outcome.ts';
import { describeMisfits } from '../support/payment-service/answers/documented.ts';
import { recordedAnswers } from '../support/payment-service/answers/recorded-answers.ts';
import {
  csvOf,
  freshAccount,
  freshReference,
  heldWallet,
  idrRow,
  operator,
  readReport,
  start,
  statusOf,
  untilEnded,
  upload,
} from './deployed/deployed-orchestrator.ts';

const records = (csv: string): Record<string, string>[] =>
  z.array(z.record(z.string(), z.string())).parse(parse(csv, { columns: true }));

describe('a batch of every kind of payout', () => {
  const failing = freshReference();
  const refusing = freshAccount('9901');
  const bahtAccount = freshAccount();
  const held = freshReference();
  const wallet = freshReference();
  const paidByBank = [
    ...Array.from({ length: 12 }, () => idrRow()),
    `${freshReference()},2500.50,PHP,rcp_e2e00001,,,,,,by id`,
    `${freshReference()},900.25,THB,,KBANK,Kasikornbank,${bahtAccount},Niran Wongsa,,needs a conversion`,
  ];
  const paidToWallets = [
    `${wallet},12.345678,usdt-tron,,,,,,TV2c3n1PyV8sfePATXTpMBnb7bCgDxfXn3,`,
    `${freshReference()},20.5,usdc-polygon,,,,,,0xbf36025e5b49c6911207006bbfc0a7c403bf0277,`,
  ];
  const unpaid = [idrRow({ reference: failing, account: refusing }), `${held},7.5,usdt-tron,,,,,,${heldWallet},`];
  const paid = [...paidByBank, ...paidToWallets];
  const rows = [...paid, ...unpaid];
  let batch: BatchView;

  beforeAll(async () => {
    batch = await untilEnded(await start(await upload(csvOf(...rows)), {}));
  });

  it('accounts for every row: all completed except one failed and one held for a check', () => {
    expect(batch.status).toBe('partially_completed');
    expect(batch.counts).toEqual({ completed: paid.length, failed: 1, on_hold: 1 });
    expect(batch.plan).toMatchObject({ rows: rows.length, validRows: rows.length, invalidRows: 0 });
  });

  it('converts the shortfall, once', () => {
    const toBaht = batch.conversions.filter(({ outputCurrency }) => outputCurrency === 'THB');
    expect(toBaht).toMatchObject([{ status: 'completed', inputCurrency: 'usdt-tron' }]);
  });

  it('archives a proof of each completed bank transfer', () => {
    const request = `POST /batches/${batch.batchId}/proofs`;
    expect(batch.proofs).toEqual({ archived: paidByBank.length, expected: paidByBank.length, request });
  });

  it('estimates fees that cover the charges', () => {
    const short = batch.currencies.filter(({ feeEstimated, feeActual }) => new Big(feeActual).gt(feeEstimated));
    expect(short).toEqual([]);
  });

  it('estimates the fees of bank transfers to within a hundredth each', () => {
    const paidWhole = batch.currencies.filter(
      ({ rail, planned, statuses }) => rail === 'fiat' && statuses.completed?.count === planned.count,
    );
    expect(paidWhole.map(({ currency }) => currency).toSorted()).toEqual(['PHP', 'THB']);
    const wide = paidWhole.filter(({ feeEstimated, feeActual, planned }) =>
      new Big(feeEstimated).minus(feeActual).gt(new Big('0.01').times(planned.count)),
    );
    expect(wide).toEqual([]);
  });

  it('finds payouts by status and by reference', async () => {
    const payouts = await allPayouts(operator(), batch.batchId);
    expect(payouts).toHaveLength(rows.length);
    const failed = await operator().send({ method: 'GET', path: `/batches/${batch.batchId}/payouts?status=failed` });
    expect(failed.body).toMatchObject({ payouts: [{ reference: failing, reason: { code: 'provider_failed' } }] });
    const one = await operator().ask({ method: 'GET', path: `/payouts/${held}` }, payoutView);
    expect(one).toMatchObject({ status: 'on_hold', batchId: batch.batchId });
  });

  it('reports every row in results.csv, the failed one ready to upload again, and every proof as evidence', async () => {
    const results = records(await readReport(batch.batchId, 'results.csv'));
    expect(results).toHaveLength(rows.length);
    expect(results.find(({ reference }) => reference === wallet)).toMatchObject({
      amount: '12.345678',
      status: 'completed',
    });
    const retry = records(await readReport(batch.batchId, 'retry.csv'));
    expect(retry).toMatchObject([{ accountNumber: refusing, amount: '150000', currency: 'IDR' }]);
    expect(retry[0]?.['reference']).not.toBe(failing);
    const evidence = z
      .object({ proofs: z.array(z.object({ sha256: z.string() })) })
      .parse(JSON.parse(await readReport(batch.batchId, 'evidence.json')));
    expect(evidence.proofs).toHaveLength(paidByBank.length);
  });

  it('shows no account number, name or address in its status', () => {
    expect(JSON.stringify(batch)).not.toMatch(
      new RegExp(`${bahtAccount}|Niran|Ayu Lestari|TV2c3n1PyV8sfePATXTpMBnb7bCgDxfXn3`),
    );
  });

  it('names recipients in its results, with only the end of an account or address', async () => {
    const results = await readReport(batch.batchId, 'results.csv');
    expect(results).not.toMatch(new RegExp(`${bahtAccount}|TV2c3n1PyV8sfePATXTpMBnb7bCgDxfXn3`));
    const recipients = records(results).map(({ name, account }) => [name, account]);
    expect(recipients).toContainEqual(['Niran Wongsa', `***${bahtAccount.slice(-4)}`]);
    expect(recipients).toContainEqual(['', '***fXn3']);
  });

  it('leaves a timeline of who did what', () => {
    expect(batch.timeline.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['batch.accepted', 'batch.validating', 'batch.processing', 'batch.partially_completed']),
    );
  });
});

describe('the payment service’s answers to functions', () => {
  const file = inject('recordedAnswers');
  it.skipIf(file === '')('are recorded, and match its OpenAPI document', () => {
    const answers = recordedAnswers(file);
    const asked = answers.map(({ method, path }) => `${method} ${path.split(/[?/]/).slice(1, 4).join('/')}`);
    for (const one of ['POST v2/disbursement/fiat', 'POST v1/disbursement/crypto', 'GET v1/disbursement/fiat']) {
      expect(asked).toContain(one);
    }
    expect(answers.flatMap(describeMisfits)).toEqual([]);
  });
});

describe('retrying', () => {
  it('pays the file of failed rows as a batch of its own', async () => {
    const refused = freshAccount('9901');
    const first = await untilEnded(await start(await upload(csvOf(idrRow(), idrRow({ account: refused })))));
    expect(first.counts).toEqual({ completed: 1, failed: 1 });
    const retried = (await readReport(first.batchId, 'retry.csv')).replace(refused, freshAccount());
    const second = await untilEnded(await start(await upload(retried)));
    expect(second).toMatchObject({ status: 'completed', counts: { completed: 1 } });
    const triedAgain = [{ batchId: second.batchId, status: 'completed', payouts: 1, paid: 1 }];
    expect((await statusOf(first.batchId)).triedAgain).toEqual(triedAgain);
  });
});
