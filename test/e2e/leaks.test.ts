import { randomBytes, randomInt } from 'node:crypto';
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import {
  CloudWatchLogsClient,
  CreateLogStreamCommand,
  DeleteLogStreamCommand,
  PutLogEventsCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { CopyObjectCommand, paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import type { BatchView } from '../../functions/api/schemas/batch.ts';
import type { PayoutField } from '../../functions/domain/payout-file/field-table.ts';
import { payoutFields } from '../../functions/domain/payout-file/fields.ts';
import { allPayouts } from '../../infra/local/batch/check-outcome.ts';
import { dashboardNameIn, readDashboard } from '../../infra/local/console/dashboard.ts';
import type { OperatorRequest } from '../../infra/local/operator-client.ts';
import type { Kept } from '../support/leaks.ts';
import { keptByLocalAws, keptHistories, keptItems, keptLogs, leaksOf, secretValues } from '../support/leaks.ts';
import { writtenKey } from '../support/scenes/written-keys.ts';
import { freshReference, operator, readReport, start, untilEnded, upload } from './deployed/deployed-orchestrator.ts';

const number = (): string => String(randomInt(10_000_000, 99_999_999));
const word = (): string => `Q${randomBytes(4).toString('hex')}x`;

/** Recipients of this run with unique values. The last digits steer the sandbox. */
const paid = { account: `${number()}0001`, name: `Zulaikha ${word()}`, email: `${word()}@people.example` };
const failing = { account: `${number()}9901`, name: `Nimrod ${word()}`, email: `${word()}@people.example` };
const refused = { account: `${number()}0002`, name: `Hadassah ${word()}`, email: `${word()}@people.example` };
const wallets = [`0x${randomBytes(18).toString('hex')}0277`, `0x${randomBytes(18).toString('hex')}fa11`];
const note = `for ${word()}`;
const personal = [paid, failing, refused].flatMap((one) => Object.values(one)).concat(wallets, note);

const header = payoutFields.join(',');
/** Every field has a value. Only the values in `personal` are searched for. */
const rowOf = (values: Readonly<Record<PayoutField, string>>): string =>
  payoutFields.map((field) => values[field]).join(',');
const common = () => ({ reference: freshReference(), recipientId: '', note });
const bankRow = ({ account, name, email }: typeof paid, amount = '150000'): string =>
  rowOf({
    ...common(),
    ...{ amount, currency: 'IDR', bankCode: 'BCA', bankName: 'Bank Central Asia', accountNumber: account },
    ...{ accountName: name, walletAddress: '', name, email },
  });
const walletRow = (walletAddress: string): string =>
  rowOf({
    ...common(),
    ...{ amount: '2.5', currency: 'usdc-polygon', bankCode: '', bankName: '', accountNumber: '' },
    ...{ accountName: '', walletAddress, name: '', email: '' },
  });

/** A name with which a file could try to be written elsewhere, or to be executed. */
const hostileKey = `uploads/${word()}/..%2f..%2Fbatches/=cmd|'; rm ~é.csv`;

const outputs = () => inject('localAws').outputs;

const renamed = async (key: string): Promise<string> => {
  const Bucket = outputs().PayoutOrchestrator.FilesBucket;
  await new S3Client().send(new CopyObjectCommand({ Bucket, Key: hostileKey, CopySource: `${Bucket}/${key}` }));
  return hostileKey;
};

/** Refused requests, with values that a request should not contain. */
const refusals: readonly OperatorRequest[] = [
  { method: 'GET', path: `/payouts/${refused.account}` },
  { method: 'GET', path: `/batches/${refused.account}` },
  { method: 'GET', path: `/batches/${refused.account}/payouts` },
  { method: 'GET', path: `/batches/b-none/payouts?status=${refused.account}` },
  { method: 'GET', path: `/batches?cursor=${refused.account}` },
  { method: 'GET', path: `/batches/b-none/files/${refused.account}.csv` },
  { method: 'POST', path: `/batches/${refused.account}/cancel` },
  ...[
    { file: `uploads/${refused.account}.csv` },
    { file: 'uploads/none.csv', invalidRows: refused.name },
    { file: 'uploads/none.csv', [refused.account]: refused.name },
    { file: 'uploads/none.csv', payouts: [refused] },
    [refused],
    refused.name,
  ].map((body) => ({ method: 'POST' as const, path: '/batches', body, headers: { 'idempotency-key': refused.email } })),
];

/** Searches in the console's form, each by someone who wants to know whether a person was paid. */
const searches = [
  { bankCode: 'BCA', account: paid.account },
  { bankCode: 'BCA', account: refused.account },
  { bankCode: refused.account, account: refused.name },
  ...wallets.map((account) => ({ account })),
  { reference: refused.account },
];

/** The console's pages for each of these searches, and for their next pages. */
const drawSearches = async (): Promise<readonly Kept[]> => {
  const dashboard = dashboardNameIn(outputs().PayoutOrchestrator.DashboardUrl);
  const { widgets } = await readDashboard(new CloudWatchClient(), dashboard);
  const FunctionName = widgets[0]?.endpoint ?? '';
  const drawn: Kept[] = [];
  for (const all of searches) {
    for (const view of ['recipient', 'payout', 'batches', refused.account]) {
      const Payload = JSON.stringify({ view, widgetContext: { forms: { all } } });
      const answer = await new LambdaClient().send(new InvokeCommand({ FunctionName, Payload }));
      drawn.push({
        where: `the console's ${view === refused.account ? 'none' : view}`,
        text: Buffer.from(answer.Payload ?? []).toString(),
      });
    }
  }
  return drawn;
};

describe('personal data and secrets after a run', () => {
  let secrets: readonly string[];
  let batches: readonly BatchView[];
  const answers: Kept[] = [];
  let drawn: readonly Kept[];
  let logs: readonly Kept[];
  let histories: readonly Kept[];
  const searched: Record<string, number> = {};

  const noneIn = (among: readonly Kept[], what: string): void => {
    searched[what] = among.length;
    expect(among.length).toBeGreaterThan(0);
    expect(leaksOf([...personal, ...secrets], among)).toEqual([]);
  };

  beforeAll(async () => {
    secrets = await secretValues();
    const good = [header, bankRow(paid), bankRow(failing), ...wallets.map(walletRow)].join('\n');
    const bad = [header, bankRow(refused, '-5'), bankRow(paid, refused.account)].join('\n');
    const headerless = [bankRow(refused), bankRow(paid)].join('\n');
    const misnamed = [`amount,currency,${refused.account},${wallets[0]}`, '5,IDR,a,b'].join('\n');
    const started = [good, bad, headerless, misnamed].map(async (file) => {
      const key = await upload(file);
      return untilEnded(await start(file === good ? await renamed(key) : key));
    });
    batches = await Promise.all(started);
    for (const request of refusals) {
      const { status, body } = await operator().send(request);
      answers.push({ where: `${request.method} ${request.path.slice(0, 12)}: ${status}`, text: JSON.stringify(body) });
    }
    const webhook = await new SecretsManagerClient().send(
      new GetSecretValueCommand({ SecretId: outputs().PayoutOrchestrator.WebhookSecretName }),
    );
    const { token } = z.object({ token: z.string() }).parse(JSON.parse(webhook.SecretString ?? ''));
    for (const end of [token, refused.account]) {
      const url = `${outputs().PayoutOrchestrator.ApiUrl}/webhooks/${end}`;
      const answer = await fetch(url, { method: 'POST', body: JSON.stringify({ id: refused.account, ...refused }) });
      answers.push({ where: `webhook: ${answer.status}`, text: await answer.text() });
    }
    drawn = await drawSearches();
    [logs, histories] = await Promise.all([
      keptLogs('/aws/'),
      keptHistories(outputs().PayoutOrchestrator.StateMachineArn),
    ]);
  });

  afterAll(() => {
    const places = Object.entries(searched).map(([what, count]) => `${count} ${what}`);
    console.error(
      `searched for ${personal.length} personal values and ${secrets.length} secrets: ${places.join(', ')}`,
    );
  });

  it('follow a run with paid, failed and refused rows, and refused requests', () => {
    expect(batches.map(({ status }) => status)).toEqual([
      'partially_completed',
      'validation_failed',
      'validation_failed',
      'validation_failed',
    ]);
    expect(batches[0]?.counts).toEqual({ completed: 2, failed: 2 });
    expect(answers.filter(({ where }) => !/: 4\d\d$/.test(where)).map(({ where }) => where)).toEqual(['webhook: 202']);
    expect(secrets.length).toBeGreaterThan(9);
  });

  it('are absent from the logs of all functions', () => {
    const ids = batches.map(({ batchId }) => batchId);
    expect(leaksOf(ids, logs).length).toBeGreaterThan(5);
    noneIn(logs, 'log lines');
  });

  it('are absent from the histories of executions and their children, which carry only ids', () => {
    expect(histories.some(({ text }) => text.includes(batches[0]?.batchId ?? 'none'))).toBe(true);
    expect(histories.some(({ where }) => where.includes('/'))).toBe(true);
    noneIn(histories, 'events of executions');
  });

  it('are absent from the answers to refused requests', () => noneIn(answers, 'refusals'));

  it('are absent from the console’s pages for a search by account', () => {
    // A list of batches also shows those of other tests.
    const answered = drawn.filter(({ where }) => where === "the console's recipient");
    const found = answered.filter(({ text }) => /[01] of 1 paid/.test(text));
    expect(found).toHaveLength(1 + wallets.length);
    noneIn(drawn, 'widgets');
  });

  it('are absent from the API’s answers about batches and payouts', async () => {
    const payouts = await Promise.all(batches.map(({ batchId }) => allPayouts(operator(), batchId)));
    const answered = [...batches, ...payouts.flat()];
    noneIn(
      answered.map((one) => ({ where: 'the API', text: JSON.stringify(one) })),
      'answers about batches and payouts',
    );
  });

  it('are absent from the reports, except names in the results and the failed rows', async () => {
    const [good = '', bad = '', headerless = '', misnamed = ''] = batches.map(({ batchId }) => batchId);
    const reports = await Promise.all([
      readReport(good, 'evidence.json'),
      readReport(bad, 'errors.csv'),
      readReport(headerless, 'errors.csv'),
      readReport(misnamed, 'errors.csv'),
    ]);
    noneIn(
      reports.map((text) => ({ where: 'a report', text })),
      'reports',
    );
    const results = await readReport(good, 'results.csv');
    for (const { name, account } of [paid, failing]) expect(results).toContain(`${name},BCA,***${account.slice(-4)},`);
    const nameless = results.replaceAll(paid.name, '').replaceAll(failing.name, '');
    noneIn([{ where: 'results.csv', text: nameless }], 'results without names');
    expect(await readReport(good, 'retry.csv')).toContain(failing.account);
  });

  it('are absent from the ledger, which stores a destination’s hash, bank and end', async () => {
    noneIn(await keptItems(outputs().PayoutOrchestrator.LedgerTable), 'items of the ledger');
  });

  it('are absent from the local AWS’s own log', async () => {
    noneIn(await keptByLocalAws(inject('localAws').aws.folder), 'lines of the local AWS');
  });

  it('are absent from object keys, whatever the file’s name', async () => {
    const keys: string[] = [];
    const Bucket = outputs().PayoutOrchestrator.FilesBucket;
    for await (const { Contents } of paginateListObjectsV2({ client: new S3Client() }, { Bucket })) {
      keys.push(...(Contents ?? []).flatMap(({ Key }) => Key ?? []));
    }
    expect(keys).toContain(hostileKey);
    const written = keys.filter((key) => !key.startsWith('uploads/'));
    expect(written.length).toBeGreaterThan(10);
    expect(written.filter((key) => !writtenKey.test(key))).toEqual([]);
  });

  it('are found when planted in a log', async () => {
    const client = new CloudWatchLogsClient();
    const stream = {
      logGroupName: logs.find(({ where }) => where.includes('SubmitChunk'))?.where ?? '',
      logStreamName: 'planted',
    };
    const hidden = Buffer.from(`{"to":"${failing.name}"}`).toString('base64');
    const planted = [`{"error":"no account ${paid.account}"}`, `{"body":"${hidden}"}`, `apiKey=${secrets[0]}`];
    await client.send(new CreateLogStreamCommand(stream));
    await client.send(
      new PutLogEventsCommand({
        ...stream,
        logEvents: planted.map((message) => ({ message, timestamp: Date.now() })),
      }),
    );
    const found = leaksOf([...personal, ...secrets], await keptLogs(stream.logGroupName));
    await client.send(new DeleteLogStreamCommand(stream));
    expect(found).toHaveLength(3);
  });
});
