import { randomUUID } from 'node:crypto';
import { unzipSync } from 'fflate';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import type { BatchView } from '../../functions/api/schemas/batch.ts';
import { describeCode } from '../../functions/domain/batch/batch-status-text.ts';
import { consoleCaller } from '../../functions/domain/batch/caller.ts';
import { startConsole } from '../../infra/local/console/start-console.ts';
import { enlargeProof } from '../e2e/deployed/deployed-ledger.ts';
import {
  csvOf,
  freshAccount,
  freshReference,
  idrRow,
  operator,
  payoutOf,
  start,
  statusOf,
  until,
  untilEnded,
  upload,
} from '../e2e/deployed/deployed-orchestrator.ts';
import { approvers } from '../e2e/deployed/deployed-people.ts';
import type { OpenBrowser } from '../support/browser/chromium.ts';
import { chromiumPath, desk, howToGetChromium, openBrowser, phone } from '../support/browser/chromium.ts';
import { expectLegible } from '../support/browser/legible.ts';
import { keepPicture } from '../support/browser/pictures.ts';

let browser: OpenBrowser | undefined;
let url = '';
const paid = freshReference();
const payee = freshAccount();
let ended = '';
let waiting = '';

/** The browser's complaints: failed scripts, and requests that the page's policy refused. */
const complaints: string[] = [];

const opens = async (options: BrowserContextOptions): Promise<Page> => {
  const person = await browser?.person(options);
  if (person === undefined) throw new Error('the browser is closed');
  onTestFinished(() => person.close());
  const page = await person.newPage();
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => complaints.push(message.text()));
  await page.goto(url);
  await page.getByRole('heading', { name: 'Batches', exact: true }).waitFor();
  await page.getByRole('heading', { name: 'Pace of requests' }).waitFor();
  return page;
};

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click();

/** Opens a batch by the id below its name. */
const opensBatch = async (page: Page, batchId: string): Promise<void> => {
  await page.getByRole('row').filter({ hasText: batchId }).first().getByRole('button').first().click();
  await page.getByRole('heading', { name: 'Timeline' }).waitFor();
};

describe.skipIf(chromiumPath === undefined)(
  chromiumPath === undefined ? `the console (${howToGetChromium})` : 'the console of the deployed functions',
  () => {
    beforeAll(async () => {
      const [rows, others] = [
        csvOf(idrRow({ reference: paid, account: payee }), idrRow({ account: freshAccount('9901') }), idrRow()),
        csvOf(idrRow(), idrRow()),
      ];
      [url, browser, ended, waiting] = await Promise.all([
        startConsole(inject('localAws')),
        openBrowser(),
        upload(rows).then((file) => start(file)),
        upload(others).then((file) => start(file, { approval: 'required' })),
      ]);
      await Promise.all([untilEnded(ended), until(waiting, ({ status }) => status === 'pending_approval')]);
    });
    afterAll(() => browser?.close());
    afterEach(() => {
      expect(complaints.splice(0)).toEqual([]);
    });

    it.each([
      ['phone', 'light', phone, 44],
      ['phone', 'dark', phone, 44],
      ['desk', 'light', desk, 24],
      ['desk', 'dark', desk, 24],
    ] as const)('is legible on a %s in the %s theme', async (device, colorScheme, options, pixels) => {
      const page = await opens({ ...options, colorScheme });
      expect(await page.locator('.badge', { hasText: 'awaits approval' }).first().isVisible()).toBe(true);
      await expectLegible(page, pixels);
      await keepPicture(page, `console-${device}-${colorScheme}-batches`);
      await opensBatch(page, ended);
      await expectLegible(page, pixels);
      await keepPicture(page, `console-${device}-${colorScheme}-batch`);
    });

    // The large batch starts only now: it would slow the tests above, whose page shows an approval that expires after a minute.
    describe('while many payouts are made', () => {
      const first = freshReference();
      let many = '';
      beforeAll(async () => {
        const others = Array.from({ length: 98 }, () => idrRow({ amount: '20000' }));
        many = await start(await upload(csvOf(idrRow({ reference: first }), ...others)));
      });

      it('shows whether a person was paid, and offers the proof and the results', async () => {
        const page = await opens(desk);
        await page.getByRole('textbox', { name: 'Reference of a payout' }).fill(paid);
        await press(page, 'Was it paid?');
        await page.getByRole('heading', { name: 'Paid', exact: true }).waitFor();
        expect(await page.getByText('150,000.00 IDR').first().isVisible()).toBe(true);
        const download = async (name: string): Promise<string> => {
          const link = page.getByRole('link', { name: `Download ${name}` });
          await link.waitFor();
          const response = await fetch(new URL((await link.getAttribute('href')) ?? '', url));
          expect(response.status).toBe(200);
          await keepPicture(page, 'console-download', 'window');
          await press(page, 'Close');
          return response.text();
        };
        await press(page, 'Proof');
        expect(await download(`proof of ${paid}`)).toMatch(/^%PDF/);
        await press(page, '← The batch');
        await press(page, 'results.csv');
        expect(await download('results.csv')).toContain(paid);
        await page.getByRole('row').filter({ hasText: 'completed' }).getByRole('button', { name: 'Show' }).click();
        await page.getByRole('button', { name: paid }).waitFor();
        await expectLegible(page, 24);
        await keepPicture(page, 'console-payouts');
      });

      it.each([
        ['phone', phone, 44],
        ['desk', desk, 24],
      ] as const)(
        'finds the payouts to a recipient on a %s, and never shows the account',
        async (device, options, pixels) => {
          const page = await opens(options);
          await page.getByRole('textbox', { name: 'Bank code' }).fill('BCA');
          await page.getByRole('textbox', { name: 'Account, wallet or recipient id' }).fill(payee);
          await press(page, 'Were they paid?');
          await page.getByRole('heading', { name: 'Payouts to one recipient' }).waitFor();
          expect(await page.getByText('1 of 1 paid').isVisible()).toBe(true);
          expect(
            await page
              .getByText(`BCA ***${payee.slice(-4)}`)
              .first()
              .isVisible(),
          ).toBe(true);
          expect(await page.content()).not.toContain(payee);
          await expectLegible(page, pixels);
          await keepPicture(page, `console-${device}-recipient`);
          await press(page, paid);
          await page.getByRole('heading', { name: 'Paid', exact: true }).waitFor();
          await expectLegible(page, pixels);
          await keepPicture(page, `console-${device}-payout`);
          await press(page, 'All payouts to this recipient');
          await page.getByRole('heading', { name: 'Payouts to one recipient' }).waitFor();
          await page.getByRole('button', { name: paid }).waitFor();
        },
      );

      it.each([
        ['phone', phone, 44],
        ['desk', desk, 24],
      ] as const)('gives all proofs of a batch as a ZIP on a %s', async (device, options, pixels) => {
        const page = await opens(options);
        await opensBatch(page, ended);
        await press(page, 'All proofs');
        const link = page.getByRole('link', { name: `Download proofs-${ended}.zip` });
        await link.waitFor();
        await expectLegible(page, pixels);
        await keepPicture(page, `console-${device}-all-proofs`, 'window');
        const response = await fetch(new URL((await link.getAttribute('href')) ?? '', url));
        expect(response.status).toBe(200);
        const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
        expect(Object.keys(files)).toEqual([
          expect.stringMatching(/^0000001-.*\.pdf$/),
          expect.stringMatching(/^0000003-.*\.pdf$/),
          'index.csv',
        ]);
        expect(Buffer.from(files['index.csv'] ?? []).toString()).toContain(paid);
      });

      it('offers more proofs than one ZIP holds in parts, one click each', async () => {
        expect((await untilEnded(many)).proofs).toMatchObject({ archived: 99 });
        // This proof alone fills a part: 100 MiB.
        await enlargeProof(await payoutOf(first), 104_857_600);
        const page = await opens(desk);
        await opensBatch(page, many);
        const proofsOf = async (link: Locator): Promise<readonly string[]> => {
          await link.waitFor();
          const response = await fetch(new URL((await link.getAttribute('href')) ?? '', url));
          expect(response.status).toBe(200);
          const names = Object.keys(unzipSync(new Uint8Array(await response.arrayBuffer())));
          return names.filter((name) => name.endsWith('.pdf'));
        };
        await press(page, 'All proofs');
        const part = await proofsOf(page.getByRole('link', { name: `Download proofs-${many}-from-row-1.zip` }));
        await expectLegible(page, 24);
        await keepPicture(page, 'console-first-part-of-proofs', 'window');
        await press(page, 'Next part');
        await page.getByText('This is not all').waitFor({ state: 'detached' });
        const last = await proofsOf(page.getByRole('link', { name: /^Download proofs-b-.*-from-row-/ }));
        expect([part.length, last.length]).toEqual([1, 98]);
        expect(new Set([...part, ...last]).size).toBe(99);
        expect(await page.getByRole('button', { name: 'Next part' }).count()).toBe(0);
      });

      it.each([
        ['phone', phone, 44],
        ['desk', desk, 24],
      ] as const)(
        'takes a file, has it corrected and checked, and asks for its payment on a %s',
        async (device, options, pixels) => {
          const page = await opens(options);
          const name = `salaries-${randomUUID()}.csv`;
          const rows = [idrRow(), idrRow({ account: freshAccount() })];
          const picture = (of: string) => keepPicture(page, `console-${device}-begin-${of}`);
          const file = (called: string) => page.getByRole('row').filter({ hasText: called }).first();
          const takes = async (called: string, content: string): Promise<void> => {
            await page.getByRole('link', { name: 'Upload a file ↗' }).click();
            await page
              .getByLabel('Payout file')
              .setInputFiles({ name: called, mimeType: 'text/csv', buffer: Buffer.from(content) });
            await keepPicture(page, `console-${device}-begin-upload`, 'window');
            await press(page, 'Upload');
            await file(called).waitFor();
          };
          const begins = async (button: ReturnType<Page['getByRole']>, heading: string): Promise<string> => {
            await button.click();
            await keepPicture(page, `console-${device}-begin-confirmation`, 'window');
            await press(page, 'Yes');
            await page.getByRole('heading', { name: heading }).waitFor();
            await press(page, 'Show the batch');
            await page.getByRole('heading', { name: 'Timeline' }).waitFor();
            return (await page.locator('div.id').first().textContent()) ?? '';
          };
          const becomes = async (batchId: string, status: BatchView['status']): Promise<void> => {
            await until(batchId, (batch) => batch.status === status);
            await page.getByRole('button', { name: 'Refresh' }).nth(1).click();
            await page
              .locator('.badge', { hasText: describeCode(status) })
              .first()
              .waitFor();
          };

          await press(page, 'Files');
          await takes(name, csvOf(...rows, idrRow({ amount: '1.250.000' })));
          await expectLegible(page, pixels);
          await picture('files');
          const refused = await begins(file(name).getByRole('button', { name: 'Check' }), 'The file is being checked');
          await becomes(refused, 'validation_failed');
          await expectLegible(page, pixels);
          await picture('refused');

          await page.locator('.note.plain').getByRole('button', { name: 'Files' }).click();
          const corrected = `to-correct-${refused}.csv`;
          await takes(corrected, csvOf(...rows, idrRow({ amount: '1250000' })));
          await file(corrected).getByText(`corrects ${refused}`).first().waitFor();
          const checked = await begins(
            file(corrected).getByRole('button', { name: 'Check' }),
            'The file is being checked',
          );
          await becomes(checked, 'previewed');
          await picture('previewed');
          const asked = await begins(
            page.getByRole('button', { name: 'Ask for payment' }).first(),
            'Payment is asked for',
          );
          await becomes(asked, 'pending_approval');
          await picture('asked');
          expect(await statusOf(asked)).toMatchObject({
            ...{ mode: 'disburse', approvalRequired: true, createdBy: consoleCaller, corrects: refused },
            approval: { why: 'request', findings: [] },
          });
          const { approval } = await statusOf(asked);
          const body = { hash: approval?.hash, reason: 'checked' };
          const approved = { method: 'POST', path: `/batches/${asked}/approve`, body } as const;
          const refusal = { type: 'urn:payout-orchestrator:problem:not_an_approver' };
          expect(await operator().send(approved)).toMatchObject({ status: 403, body: refusal });
          expect(await approvers()[0].send(approved)).toMatchObject({ status: 202 });
          expect((await untilEnded(asked)).status).toBe('completed');
          await press(page, '← All batches');
          await press(page, 'Files');
          await file(corrected).getByText('completed').waitFor();
          expect(await file(corrected).getByRole('button', { name: 'Ask for payment' }).count()).toBe(0);
          await expectLegible(page, pixels);
          await picture('paid');
        },
      );

      it('pauses and cancels a batch after a confirmation, and the timeline names the caller', async () => {
        // A separate batch, because here a batch is paused after a minute without an approval.
        const held = await start(await upload(csvOf(idrRow(), idrRow())), { approval: 'required' });
        await until(held, ({ status }) => status === 'pending_approval');
        const page = await opens(phone);
        await opensBatch(page, held);
        await press(page, 'Pause');
        await keepPicture(page, 'console-confirmation', 'window');
        await press(page, 'No');
        expect((await statusOf(held)).status).toBe('pending_approval');
        await press(page, 'Pause');
        await press(page, 'Yes');
        await page.getByRole('heading', { name: 'The batch is paused' }).waitFor();
        await press(page, 'Show the batch');
        await page.getByText(consoleCaller).first().waitFor();
        expect((await statusOf(held)).timeline.at(-1)).toMatchObject({ code: 'batch.paused', by: consoleCaller });
        await press(page, 'Cancel');
        await press(page, 'Yes');
        await page.getByRole('heading', { name: 'The batch is being canceled' }).waitFor();
        await until(held, ({ status }) => status === 'canceled');
      });

      it('cannot approve a batch, not even by a direct request', async () => {
        const page = await opens(desk);
        expect(await page.locator('cwdb-action', { hasText: /approve|reject|resume|settle/ }).count()).toBe(0);
        const answer = await page.evaluate<string>(`fetch('/invoke', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          endpoint: document.querySelector('cwdb-action').getAttribute('endpoint'),
          event: { action: 'approve', batchId: 'b-1' },
        }),
      }).then((response) => response.text())`);
        expect(answer).toContain('There is no such view');
      });
    });
  },
);
