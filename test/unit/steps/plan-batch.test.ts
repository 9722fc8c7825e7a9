import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Batch } from '../../../functions/domain/batch/batch.ts';
import { batchTransitions } from '../../../functions/domain/batch/batch-status.ts';
import { AccountChanged, FileAltered } from '../../../functions/domain/errors.ts';
import { moneyOfText } from '../../../functions/domain/money/money-by-currency.ts';
import type { Payout } from '../../../functions/domain/payout/payout.ts';
import { orchestratorSettings } from '../../../functions/domain/settings.ts';
import { createFiles } from '../../../functions/files/files.ts';
import type { NewBatch } from '../../../functions/ports/ledger/batch-ledger.ts';
import { documentedTraits } from '../../../functions/provider/settings.ts';
import { planBatch } from '../../../functions/steps/plan-batch.ts';
import { MemoryBucket } from '../../support/memory-bucket.ts';
import { createMemoryLedger } from '../../support/memory-ledger.ts';
import { differencesOf, readXml, textsOf } from '../../support/pain/read-pain-002.ts';
import type { Element } from '../../support/pain/written-pain-001.ts';
import { pain001, payment, transaction } from '../../support/pain/written-pain-001.ts';
import { newBatch } from '../../support/scenes/new-batch.ts';
import { silentLog } from '../../support/silent-log.ts';
import { workbook } from '../../support/workbook.ts';
import { methods } from '../domain/payout-file/plan-bytes.ts';

/** Without references, so only its content identifies a paid file. */
const csv = 'amount,currency,recipientId\n50000,IDR,rec_1\n70000.50,IDR,rec_2\n25,PHP,rec_3\n';

const createScene = () => {
  const clock = () => Date.parse('2026-11-21T08:00:00Z');
  const ledger = createMemoryLedger(clock);
  const bucket = new MemoryBucket();
  const s3 = bucket.client();
  let made = 0;
  const alarms: string[] = [];
  const account = { name: 'one' };
  const dependencies = {
    ledger,
    files: createFiles({ s3, uploads: s3, bucket: 'files', clock }),
    provider: {
      get account() {
        return account.name;
      },
      traits: documentedTraits(),
      listPaymentMethods: async (rail: string) => methods.filter((method) => method.rail === rail),
    },
    // Planning allocates for the most rows.
    settings: orchestratorSettings().parse({ maxRows: 10_000 }),
    clock,
    ids: { sortable: () => `run-${++made}`, unique: () => `unique-${++made}` },
    log: { ...silentLog, alarm: (metric: string) => alarms.push(metric) },
  };
  const plan = async (batchId: string) => (await planBatch(dependencies, { batchId })).next;
  return {
    ledger,
    bucket,
    files: dependencies.files,
    plan,
    alarms,
    account,
    /** Uploads a file, starts a batch, plans it, and returns the outcome. */
    run: async (content: string | Buffer, changes: Partial<NewBatch> = {}) => {
      const { batchId, file } = newBatch();
      const versionId = bucket.put(file.key, Buffer.from(content));
      await ledger.createBatch(newBatch({ batchId, file: { ...file, versionId }, ...changes }));
      const next = await plan(batchId);
      const batch = await ledger.getBatch(batchId);
      return { batchId, next, status: batch?.status, reason: batch?.reason, plan: batch?.plan };
    },
  };
};

describe('a batch that was planned for another account', () => {
  const report = { resultsKey: 'results.csv', evidenceKey: 'evidence.json', reportedAt: '2026-11-21T08:00:00.000Z' };
  const canceling = { cancelRequestedAt: '2026-11-21T08:00:00.000Z' };
  const planned = async (changes: Partial<Batch>) => {
    const scene = createScene();
    const { batchId } = await scene.run(csv);
    const batch = scene.ledger.batches.get(batchId);
    if (batch === undefined) throw new Error('there is no batch');
    scene.ledger.putBatch({ ...batch, ...changes });
    return { ...scene, again: () => scene.plan(batchId) };
  };

  it.each<[string, Partial<Batch>]>([
    ['is being funded', { status: 'validating' }],
    ['waits for its start time', { status: 'scheduled' }],
    ['disburses', { status: 'processing' }],
    ['disburses and is to be canceled', { status: 'processing', ...canceling }],
    ['is paused while it disburses', { status: 'paused', resumeTo: 'processing' }],
    ['has ended, and its report may be written again', { status: 'partially_completed', report }],
  ])('is not continued when it %s', async (_, changes) => {
    const { account, again } = await planned(changes);
    account.name = 'other';
    await expect(again()).rejects.toThrow(new AccountChanged('It was planned for one, and other is deployed.'));
    account.name = 'one';
    expect(await again()).toBe('estimate');
  });

  it.each<[string, Partial<Batch>, string]>([
    ['is canceled before it pays anyone', { status: 'validating', ...canceling }, 'estimate'],
    ['was canceled before it paid anyone', { status: 'canceled' }, 'ended'],
    ['was refused', { status: 'validation_failed' }, 'refused'],
  ])('is ended when it %s', async (_, changes, next) => {
    const { account, again } = await planned(changes);
    account.name = 'other';
    expect(await again()).toBe(next);
  });
});

const refused = (code: string, message: string) => ({
  next: 'refused',
  status: 'validation_failed',
  reason: { code, message },
});
const sameContent = (batchId: string) =>
  refused(
    'same_content',
    `Batch ${batchId} pays a file of the same content, or has paid it. Nothing was paid. Send allowSameFile to pay it again.`,
  );

describe('a refused file', () => {
  it.each([
    ['raises an alarm once', 'disburse', ['BatchFailed']],
    ['raises no alarm when it was only previewed', 'preview', []],
  ] as const)('%s', async (_, mode, alarms) => {
    const scene = createScene();
    const { batchId, next } = await scene.run('reference,amount\n', { mode });
    expect(next).toBe('refused');
    expect(await scene.plan(batchId)).toBe('refused');
    expect(scene.alarms).toEqual(alarms);
  });

  const manyBad = '0,IDR,rec_1\n'.repeat(150);
  it.each([
    [
      'of one bad row',
      `${csv}0,IDR,rec_4\n`,
      '1 row is invalid, of 4 in the file: errors.csv names each. Nothing was paid.',
    ],
    [
      'of bad rows',
      `${csv}0,IDR,a\n0,IDR,b\n`,
      '2 rows are invalid, of 5 in the file: errors.csv names each. Nothing was paid.',
    ],
    [
      'that breaks in its first row',
      'amount,currency,recipientId\n1,"2',
      expect.stringMatching(/^The quote .* line 2 is never/),
    ],
    ['that breaks after bad rows', `${csv}${manyBad}1,"2`, expect.stringMatching(/^The quote .* line 155 is never/)],
  ])('gives a reason that explains it: %s', async (_, content, message) => {
    const scene = createScene();
    const { reason, plan } = await scene.run(content);
    expect(reason).toEqual({ code: 'file_invalid', message });
    expect(plan?.errors.length).toBeLessThanOrEqual(100);
  });

  it('raises its alarm even if the run dies while writing the refusal', async () => {
    const scene = createScene();
    const { moveBatch } = scene.ledger;
    const dies: typeof moveBatch = (batchId, transition, ...rest) =>
      transition === batchTransitions.refuseFile
        ? Promise.reject(new Error('gone'))
        : moveBatch(batchId, transition, ...rest);
    Object.assign(scene.ledger, { moveBatch: dies });
    await expect(scene.run('reference,amount\n')).rejects.toThrow('gone');
    expect(scene.alarms).toEqual(['BatchFailed']);
  });
});

describe('a file to correct', () => {
  const head = 'amount,currency,recipientId';
  const bad = '1.250.000,IDR,rec_4';
  const says = 'amount: `1.250.000`: more than one point. Write 1250000 without thousands separators.';
  const toCorrect = async (
    scene: ReturnType<typeof createScene>,
    content: string | Buffer,
    changes: Partial<NewBatch> = {},
  ) => {
    const { plan } = await scene.run(content, changes);
    return plan?.toCorrectKey === undefined ? undefined : scene.bucket.content(plan.toCorrectKey)?.toString();
  };

  it.each([
    ['has all rows of a refused file', 'reject', csv.replace(head, `${head},error,line`)],
    ['has the skipped rows of another', 'skip', `${head},error,line\n`],
  ] as const)('%s, with the errors', async (_, invalidRows, begins) => {
    const written = await toCorrect(createScene(), `${csv}${bad}\n`, { invalidRows });
    const good = begins
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => `${line},,\n`);
    expect(written).toBe(`\ufeff${head},error,line\n${good.join('')}${bad},${says},5\n`);
  });

  it.each([
    ['has no bad row', csv, {}],
    ['breaks off', `${csv}0,IDR,"rec_4`, {}],
    ['has no header', csv.slice(csv.indexOf('\n') + 1), {}],
    [
      'has a wrong header, and then cannot be unpacked',
      gzipSync(csv.replace('amount', 'ammount')).subarray(0, -10),
      {},
    ],
    [
      'is refused for its totals, so that skipped rows are not all that is left',
      `${csv}${bad}\n`,
      { invalidRows: 'skip', expect: { rows: 9 } },
    ],
  ] as const)('is not made for a file that %s', async (_, content, changes) => {
    expect(await toCorrect(createScene(), content, changes)).toBeUndefined();
  });

  it.each([
    [
      'a wrong header',
      csv.replace('amount', 'ammount'),
      /^\ufeffammount,currency,recipientId,"error: ammount: Column 1.*",line\n50000/,
    ],
    ['a quote that is never closed', `${csv}0,IDR,"rec_4\n`, /\n25,PHP,rec_3,,\n0,IDR,"rec_4,The quote .*,5\n$/],
    ['a workbook with a wrong header', workbook([['amount', 'currency', 'money', 'recipientId']]), /^PK/],
  ])('has all of a file with %s', async (_, content, written) => {
    expect(await toCorrect(createScene(), content, { invalidRows: 'skip' })).toMatch(written);
  });

  const accented = (column: string) => `amount,currency,recipientId,${column}\n0,IDR,rec_1,Sélène\n`;
  it.each([
    ['one when the file is UTF-8 without it', Buffer.from(accented('name')), 1],
    ['one when the rows are unread because the header is wrong', Buffer.from(accented('naam')), 1],
    ['one when the file has it', Buffer.from(`\ufeff${accented('name')}`), 1],
    ['none when the file is in another encoding', Buffer.from(accented('name'), 'latin1'), 0],
    ['none when rows in another encoding were not read', Buffer.from(accented('naam'), 'latin1'), 0],
  ])('has a byte order mark, so that a spreadsheet recognizes UTF-8: %s', async (_, file, marks) => {
    const scene = createScene();
    const { plan } = await scene.run(file);
    const written = scene.bucket.content(plan?.toCorrectKey ?? '');
    expect(written?.subarray(0, 3).equals(Buffer.from('\ufeff'))).toBe(marks === 1);
    expect(written?.toString().split('\ufeff')).toHaveLength(1 + marks);
  });

  it('is planned without errors once corrected, and pays only the skipped rows', async () => {
    const scene = createScene();
    let row = 0;
    const content = csv
      .replace(head, `reference,${head}`)
      .replaceAll(/\n(?=\d)/g, '\nR-,')
      .replaceAll('R-,', () => `R-${row++},`);
    const written = await toCorrect(scene, `${content}R-bad,${bad}\n`, { invalidRows: 'skip' });
    const again = await scene.run(written?.replace('1.250.000', '1250000') ?? '');
    expect(again).toMatchObject({ next: 'estimate', plan: { rows: 1, validRows: 1, errors: [] } });
  });
});

describe('a correction', () => {
  const head = 'amount,currency,recipientId\n';
  const parentFile = `${head}50000,IDR,rec_1\n0,IDR,rec_2\n0,IDR,rec_3\n`;

  it.each([
    ['pays the rows that were skipped', `${head}60000,IDR,rec_2\n60000,IDR,rec_3\n`, 'skip', 'estimate'],
    ['pays a part of them', `${head}60000,IDR,rec_2\n`, 'skip', 'estimate'],
    [
      'pays every row of a file of which nothing was paid',
      parentFile.replaceAll('\n0', '\n60000'),
      'reject',
      'estimate',
    ],
    ['is refused when it has more rows than were skipped', parentFile.replaceAll('\n0', '\n60000'), 'skip', 'refused'],
  ] as const)('%s', async (_, file, invalidRows, next) => {
    const scene = createScene();
    const parent = await scene.run(parentFile, { invalidRows });
    const correction = await scene.run(file, { corrects: parent.batchId });
    expect(correction.next).toBe(next);
    expect(correction.reason?.code).toBe(next === 'refused' ? 'more_than_skipped' : undefined);
  });

  it('counts its rows that repeat a debt of the corrected batch', async () => {
    const scene = createScene();
    const parent = await scene.run(parentFile, { invalidRows: 'skip' });
    const file = `${head}50000,IDR,rec_1\n60000,IDR,rec_2\n`;
    const { plan } = await scene.run(file, { corrects: parent.batchId });
    expect(plan?.repeatedDebts).toMatchObject({ rows: 1, ofCorrected: 1 });
    const other = await scene.run(file, { allowSameFile: true });
    expect(other.plan?.repeatedDebts).not.toHaveProperty('ofCorrected');
  });
});

describe('a file whose content another batch pays', () => {
  it.each([
    ['uploaded again', csv, {}],
    ['packed', gzipSync(csv), {}],
    ['in a preview', csv, { mode: 'preview' }],
  ] as const)('is refused, %s, and the other batch named', async (_name, content, changes) => {
    const { run, ledger } = createScene();
    const first = await run(csv);
    expect(first).toMatchObject({ next: 'estimate', status: 'validating' });
    const second = await run(content, changes);
    expect(second).toMatchObject(sameContent(first.batchId));
    expect(second.plan).toMatchObject({ validRows: 3, sha256: first.plan?.sha256 });
    expect(second.plan).not.toHaveProperty('manifestKey');
    const { items } = await ledger.listTimeline(second.batchId, { limit: 10 });
    expect(items.at(-1)).toMatchObject({ code: 'batch.validation_failed', detail: 'same_content' });
  });

  it('is also refused when the other was canceled, and the reason says whether that one may have paid', async () => {
    const { run, ledger } = createScene();
    const first = await run(csv);
    await ledger.moveBatch(first.batchId, batchTransitions.cancel, 'arn:person');
    const message = `Nothing was paid. Batches with the same content paid nobody: ${first.batchId}. Send allowSameFile to pay it.`;
    expect(await run(csv)).toMatchObject(refused('same_content', message));
    const report = { resultsKey: 'r', evidenceKey: 'e', reportedAt: '2026-11-21T08:00:00.000Z', chunkVersions: 1 };
    await ledger.amendBatch(first.batchId, ['canceled'], { report });
    expect(await run(csv)).toMatchObject(sameContent(first.batchId));
  });

  const failedBatch = async ({ run, ledger }: ReturnType<typeof createScene>, file: string, changes = {}) => {
    const { batchId } = await run(file, changes);
    await ledger.moveBatch(batchId, batchTransitions.startProcessing, 'system');
    await ledger.moveBatch(batchId, batchTransitions.fail, 'system');
    return batchId;
  };

  it('is refused with the name of one that may have paid it, among others that failed', async () => {
    const scene = createScene();
    await failedBatch(scene, csv);
    const paying = [1, 2].map(() => scene.run(csv, { allowSameFile: true }));
    const names = (await Promise.all(paying)).map(({ batchId }) => batchId).sort();
    await failedBatch(scene, csv, { allowSameFile: true });
    // Ids of batches sort by time.
    expect(await scene.run(csv)).toMatchObject(sameContent(names.at(-1) ?? ''));
  });

  it('is refused with the names of all that failed', async () => {
    const scene = createScene();
    const names = [await failedBatch(scene, csv), await failedBatch(scene, csv, { allowSameFile: true })].sort();
    const message = `Nothing was paid. Batches with the same content paid nobody: ${names.join(', ')}. Send allowSameFile to pay it.`;
    expect(await scene.run(csv)).toMatchObject(refused('same_content', message));
  });

  it('is refused with the name of the retry that may have paid it', async () => {
    const scene = createScene();
    const failed = await failedBatch(scene, csv);
    const retry = await scene.run(`${csv}25,PHP,rec_3\n`);
    const batch = (await scene.ledger.getBatch(failed)) ?? expect.fail('no batch');
    scene.ledger.putBatch({ ...batch, retriedBy: new Set([retry.batchId]) });
    const message = `Nothing was paid. Batches with the same content paid nobody: ${failed}. Some of their payouts are retried by ${retry.batchId}. See who was paid there. Send allowSameFile only if all are owed once more.`;
    expect(await scene.run(csv)).toMatchObject(refused('same_content', message));
    await scene.ledger.moveBatch(retry.batchId, batchTransitions.cancel, 'arn:person');
    expect((await scene.run(csv)).reason?.message).toContain(`paid nobody: ${failed}. Send`);
  });

  it('continues in one of several concurrently planned batches', async () => {
    const { run } = createScene();
    const runs = await Promise.all(Array.from({ length: 5 }, () => run(csv)));
    expect(runs.filter(({ next }) => next === 'estimate')).toHaveLength(1);
    expect(runs.filter(({ reason }) => reason?.code === 'same_content')).toHaveLength(4);
  });

  it.each([
    ['when that is allowed', csv, { allowSameFile: true }],
    ['with one row more', `${csv}25,PHP,rec_3\n`, {}],
    ['with other line ends', csv.replaceAll('\n', '\r\n'), {}],
  ])('continues %s', async (_name, content, changes) => {
    const { run } = createScene();
    await run(csv);
    expect(await run(content, changes)).toMatchObject({ next: 'estimate' });
  });

  it.each([
    ['a preview', { mode: 'preview' }],
    ['a batch that was refused', { expect: { rows: 4 } }],
  ] as const)('is new again after %s', async (_name, changes) => {
    const { run } = createScene();
    await run(csv, changes);
    expect(await run(csv)).toMatchObject({ next: 'estimate' });
  });

  it('does not refuse the batch that pays it when its step runs again, even concurrently', async () => {
    const { run, plan, ledger } = createScene();
    const first = await run(csv);
    expect(await Promise.all([plan(first.batchId), plan(first.batchId)])).toEqual(['estimate', 'estimate']);
    expect((await ledger.getBatch(first.batchId))?.plan).toEqual(first.plan);
  });
});

describe('a file whose rows another batch has', () => {
  const head = 'reference,amount,currency,recipientId\n';
  const rows = ['P-1,50000,IDR,rec_1\n', 'P-2,70000,IDR,rec_2\n'];
  /** Batch b-0 has both rows, and these are completed. */
  const scenePaid = async (...completed: readonly number[]) => {
    const scene = createScene();
    const payouts = [1, 2].map((row) => ({
      ...{ row, reference: `P-${row}`, amount: row === 1 ? '50000' : '70000' },
      recipient: { kind: 'recipientId', recipientId: `rec_${row}` } as const,
    }));
    const chunk = { batchId: 'b-0', chunk: 1, rail: 'fiat', currency: 'IDR', payouts } as const;
    const registered = await scene.ledger.registerPayouts(chunk);
    for (const one of registered.payouts)
      scene.ledger.putPayout({ ...one, status: completed.includes(one.row) ? 'completed' : 'failed' });
    return scene;
  };

  const paidOn = 'under the same references, by b-0 on 2026-11-21';

  it.each([
    ['reject', 'preview', [...rows], 'All 2 rows of the file have'],
    ['skip', 'disburse', [...rows], 'All 2 rows of the file have'],
    ['reject', 'disburse', rows.slice(0, 1), 'The one row of the file has'],
  ] as const)(
    'is reported as already paid, and returned because it may be owed again (%s, %s)',
    async (invalidRows, mode, held, begins) => {
      const { run } = await scenePaid(1, 2);
      const { plan, ...outcome } = await run(`${head}${held.join('')}`, { invalidRows, mode });
      const message = `${begins} been paid already, ${paidOn}. Nothing was paid again. If this file owes them again, give its rows references of their own.`;
      expect(outcome).toMatchObject(refused('already_paid', message));
      expect(plan).toMatchObject({ alreadyPaid: { rows: held.length, batches: ['b-0'], lastOn: '2026-11-21' } });
      expect(plan).toHaveProperty('toCorrectKey');
      expect(plan?.errors.map(({ message }) => message)).toContain(
        'Batch b-0 has paid this row already, under the same reference, on 2026-11-21. Leave it out. If you owe it again, give it a new reference.',
      );
    },
  );

  it('names the paid ones, and returns the others for correction', async () => {
    const { run } = await scenePaid(1);
    const { plan, ...outcome } = await run(`${head}${rows.join('')}P-3,0,IDR,rec_3\n`);
    const message = `3 rows are invalid, of 3 in the file: errors.csv names each. Already paid: 1 of these, ${paidOn}. Remove them. If they are owed again, give them new references. Nothing was paid.`;
    expect(outcome).toMatchObject(refused('file_invalid', message));
    expect(plan).toHaveProperty('toCorrectKey');
    expect(plan?.errors.map(({ message }) => message.includes('has paid this row already'))).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('is returned when the file is unreadable after rows that are all paid', async () => {
    const { run } = await scenePaid(1, 2);
    const { plan, reason } = await run(`${head}${rows.join('')}P-3,50000,IDR,"rec_3\n`);
    expect(reason?.code).toBe('file_invalid');
    expect(reason?.message).not.toContain('All');
    expect(plan).toHaveProperty('toCorrectKey');
  });
});

describe('the files of a plan', () => {
  it('are sealed with a key that is in the ledger, new for each run, and not in the bucket', async () => {
    const { run, files, bucket } = createScene();
    const [first, second] = [await run(csv), await run(csv, { allowSameFile: true })];
    const keys = [first, second].map(({ plan }) => plan?.sealKey ?? '');
    expect(new Set(keys).size).toBe(2);
    expect(bucket.text()).not.toMatch(new RegExp(keys.join('|')));
    const { plan } = first;
    if (plan === undefined) throw new Error('no plan');
    expect((await files.getChunk(plan, 1)).payouts).toHaveLength(2);
    await expect(files.getChunk({ ...plan, sealKey: 'another' }, 1)).rejects.toThrow(FileAltered);
  });

  it('have the hash of errors.csv in the ledger', async () => {
    const { run, files } = createScene();
    const { plan } = await run(`${csv}0,IDR,rec_4\n`, { invalidRows: 'skip' });
    const { key = '', sha256 = '' } = plan?.errorsFile ?? {};
    expect(Buffer.concat(await Array.fromAsync(files.readList({ key, sha256 }))).toString()).toContain('4,');
    await expect(Array.fromAsync(files.readList({ key, sha256: 'another' }))).rejects.toThrow(FileAltered);
  });
});

describe('a pain.001', () => {
  const message = 'pain.001.001.09';
  const fileOf = (...transactions: readonly Element[]) =>
    pain001({ message, payments: [payment(message, { transactions })] });
  const textOf = async (scene: ReturnType<typeof createScene>, file = { key: '', sha256: '' }) =>
    Buffer.concat(await Array.fromAsync(scene.files.readList(file))).toString();

  it('keeps the data of its pain.002', async () => {
    const scene = createScene();
    const { plan } = await scene.run(fileOf(transaction(), transaction({ endToEndId: 'A-2', instructionId: 'I-2' })));
    expect(plan?.initiation).toMatchObject({ message, messageId: 'MSG-1', count: '2' });
    const lines = await textOf(scene, plan?.initiation?.instructions);
    expect(lines).toBe('["PAY-1"]\n["","A-1",""]\n["I-2","A-2",""]\n');
  });

  it.each([
    ['has a bad row', [transaction({ endToEndId: 'A-7' }), transaction({ amount: '0' })], ['A-1']],
    ['differs from its schema', [transaction({ currency: 'Rp' })], ['A-1']],
  ] as const)('that %s is answered by a pain.002 that rejects it', async (_why, transactions, ids) => {
    const scene = createScene();
    const { status, plan } = await scene.run(fileOf(...transactions));
    expect(status).toBe('validation_failed');
    const key = plan?.initiation?.statusReportKey ?? '';
    const xml = scene.bucket.content(key)?.toString() ?? '';
    expect(differencesOf(xml)).toEqual([]);
    const { root } = readXml(xml);
    expect(textsOf(root, 'CstmrPmtStsRpt', 'OrgnlGrpInfAndSts', 'GrpSts')).toEqual(['RJCT']);
    const rejected = textsOf(root, 'CstmrPmtStsRpt', 'OrgnlPmtInfAndSts', 'TxInfAndSts', 'OrgnlEndToEndId');
    expect(rejected).toEqual(ids);
  });

  it.each([
    ['is refused when it is started immediately', {}, 'refused'],
    ['is refused when it starts a day early', { startAt: '2026-11-23T23:59:00Z' }, 'refused'],
    ['waits when it starts on that day', { startAt: '2026-11-24T00:00:00Z' }, 'await_start'],
  ] as const)('of a later day %s', async (_why, changes, next) => {
    const file = pain001({ message, payments: [payment(message, { day: '2026-11-24' })] });
    expect((await createScene().run(file, changes)).next).toBe(next);
  });

  it('with content that another batch pays is rejected as a duplicate', async () => {
    const scene = createScene();
    await scene.run(fileOf(transaction({ endToEndId: 'NOTPROVIDED' })));
    const { plan } = await scene.run(fileOf(transaction({ endToEndId: 'NOTPROVIDED' })));
    expect(scene.bucket.content(plan?.initiation?.statusReportKey ?? '')?.toString()).toContain('<Cd>DUPL</Cd>');
  });
});

describe('a retry file', () => {
  const retry = 'reference,amount,currency,recipientId\nX.r1,50000,IDR,rec_1\ny,70000,IDR,rec_2\n';
  const register = async (
    ledger: ReturnType<typeof createScene>['ledger'],
    status: Payout['status'],
    { batchId, reference } = { batchId: 'b-0', reference: 'X' },
  ): Promise<void> => {
    const chunk = { batchId, chunk: 1, rail: 'fiat', currency: 'IDR' } as const;
    const recipient = { kind: 'recipientId', recipientId: 'rec_1' } as const;
    const payout = { row: 1, reference, amount: '50000', recipient };
    const { payouts } = await ledger.registerPayouts({ ...chunk, payouts: [payout] });
    for (const one of payouts) ledger.putPayout({ ...one, status });
  };

  it('is planned when its original failed', async () => {
    const { run, ledger } = createScene();
    await register(ledger, 'failed');
    expect(await run(retry)).toMatchObject({
      next: 'estimate',
      plan: { validRows: 2, retries: [{ batchId: 'b-0', payouts: 1 }] },
    });
  });

  it('counts a retry of a retry for both earlier batches', async () => {
    const { run, ledger } = createScene();
    await register(ledger, 'failed');
    await register(ledger, 'failed', { batchId: 'b-1', reference: 'X.r1' });
    const retries = ['b-0', 'b-1'].map((batchId) => ({ batchId, payouts: 1 }));
    expect(await run(retry.replace('X.r1', 'X.r2'))).toMatchObject({ plan: { validRows: 2, retries } });
  });

  it('names only the first 20 earlier batches', async () => {
    const { run, ledger } = createScene();
    const batchIds = Array.from({ length: 22 }, (_, index) => `b-${index + 10}`);
    for (const batchId of batchIds) await register(ledger, 'failed', { batchId, reference: `X-${batchId}` });
    const rows = batchIds.map((batchId) => `X-${batchId}.r1,50000,IDR,rec_1\n`).join('');
    const { plan } = await run(`reference,amount,currency,recipientId\n${rows}`);
    expect(plan?.retries?.map(({ batchId }) => batchId)).toEqual(batchIds.slice(0, 20));
  });

  it('has an invalid row when its original is paid by now', async () => {
    const { run, ledger } = createScene();
    await register(ledger, 'completed');
    const error = { row: 1, column: 'reference', code: 'original_not_retryable' };
    expect(await run(retry, { invalidRows: 'skip' })).toMatchObject({ next: 'estimate', plan: { errors: [error] } });
    expect(await run(`${retry}z,1000,IDR,rec_3\n`)).toMatchObject({
      next: 'refused',
      reason: { code: 'file_invalid' },
    });
  });
});

describe('the control totals of a start', () => {
  it.each(['disburse', 'preview'] as const)('accept a file that matches them: %s', async (mode) => {
    const sums = moneyOfText({ IDR: '120000.500', PHP: '25.00' });
    expect(await createScene().run(csv, { mode, expect: { rows: 3, sums } })).toMatchObject({ next: 'estimate' });
  });

  it.each(['disburse', 'preview'] as const)(
    'refuse a file that does not, and list each difference: %s',
    async (mode) => {
      const sums = moneyOfText({ IDR: '120000.50', THB: '1' });
      const outcome = await createScene().run(csv, { mode, expect: { rows: 2, sums } });
      const message =
        'The file is not what was expected. Rows: expected 2, found 3. THB: expected 1, found 0. PHP: expected 0, found 25. Nothing was paid.';
      expect(outcome).toMatchObject(refused('control_totals_differ', message));
      expect(outcome.plan).not.toHaveProperty('manifestKey');
    },
  );

  it('count all rows, and sum the valid ones', async () => {
    const content = `${csv}0,IDR,rec_4\n`;
    const changes = { invalidRows: 'skip' } as const;
    const sums = moneyOfText({ IDR: '120000.5', PHP: '25' });
    const { run } = createScene();
    expect(await run(content, { ...changes, expect: { rows: 4, sums } })).toMatchObject({ next: 'estimate' });
    expect(await run(content, { ...changes, expect: { rows: 3 } })).toMatchObject({
      reason: { code: 'control_totals_differ' },
    });
  });
});
