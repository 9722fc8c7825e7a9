import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { OpenBrowser } from '../support/browser/chromium.ts';
import { chromiumPath, desk, howToGetChromium, openBrowser, phone } from '../support/browser/chromium.ts';
import { keepPicture, readQrCode } from '../support/browser/pictures.ts';
import {
  depositOf,
  newCheckout,
  passTime,
  resetSandbox,
  tracked,
} from '../support/payment-service/deposits/checkouts.ts';
import { balanceOf, credentialsOf } from '../support/payment-service/merchant.ts';

let browser: OpenBrowser | undefined;

/** The browser's complaints: scripts that failed, and requests that the page's policy refused. */
const complaints: string[] = [];

/** Opens a page as a customer. The browser closes after the test. */
const opens = async (url: string, options: BrowserContextOptions): Promise<{ person: BrowserContext; page: Page }> => {
  const person = await browser?.person(options);
  if (person === undefined) throw new Error('the browser is closed');
  onTestFinished(() => person.close());
  const page = await person.newPage();
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // Expired checkouts answer 410, which the browser reports.
    if (message.type() === 'error' && !message.text().includes('410')) complaints.push(message.text());
  });
  await page.goto(url);
  return { person, page };
};

const seen = (page: Page, heading: string) => page.getByRole('heading', { name: heading }).waitFor({ timeout: 60_000 });
const choose = (page: Page, method: string) => page.getByRole('radio', { name: new RegExp(`^${method}`) }).check();
const proceed = (page: Page) => page.getByRole('button', { name: 'Continue' }).click();
const pays = (page: Page) => page.getByRole('button', { name: /^Pay .* now$/ }).click();
/** Finds controls that are lower than a fingertip of 44 pixels. */
const tooLow = `[...document.querySelectorAll('a, button, label')]
  .filter((one) => one.getClientRects().length > 0 && one.getBoundingClientRect().height < 44)
  .map((one) => one.textContent)`;

/** Expects that nothing overflows the window, and that every control is large enough for a finger. */
const fits = async (page: Page): Promise<void> => {
  expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  expect(await page.evaluate<string[]>(tooLow)).toEqual([]);
};

const rupiah = { inputCurrency: 'IDR', inputAmount: 150_000 };
const longest = {
  inputCurrency: 'IDR',
  inputAmount: 499_999_999.99,
  description: 'W'.repeat(140),
  returnUrl: `https://kopi.example/${'w'.repeat(1979)}`,
};

describe.skipIf(chromiumPath === undefined)(
  chromiumPath === undefined ? `the checkout page (${howToGetChromium})` : 'the checkout page',
  () => {
    beforeAll(async () => {
      browser = await openBrowser();
    });
    afterAll(() => browser?.close());
    afterEach(() => {
      expect(complaints.splice(0)).toEqual([]);
    });

    describe.each([
      ['phone', phone],
      ['desk', desk],
    ] as const)('on a %s', (device, options) => {
      it('a method is picked, the QR code read and the payment made; a second visitor and the merchant see it live', async () => {
        const { id, url } = await newCheckout();
        expect(await tracked(id)).toMatchObject({ statusCode: 404, message: 'Deposit not found' });
        const { person, page } = await opens(url, options);
        await seen(page, 'to Sandbox Merchant');
        await fits(page);
        await keepPicture(page, `${device}-choosing`, 'window');
        await choose(page, 'QRIS');
        await proceed(page);
        await seen(page, 'Scan to pay with QRIS');
        await fits(page);
        const { paymentFiat, status } = await depositOf(id);
        expect(status).toBe('pending');
        expect(await readQrCode(person, page.getByRole('img', { name: 'QR code' }))).toBe(paymentFiat.qrData);
        await keepPicture(page, `${device}-qr`);
        const { page: other } = await opens(url, options);
        await seen(other, 'Scan to pay with QRIS');
        await pays(page);
        await seen(page, 'Payment received');
        await seen(other, 'Payment received');
        expect(await other.getByRole('status').textContent()).toBe('Payment received.');
        await keepPicture(other, `${device}-paid`);
        expect(await depositOf(id)).toMatchObject({ status: 'completed', inputAmount: 150_000, outputAmount: 148_950 });
      });

      it('a virtual account is shown, and its number and the amount can be copied', async () => {
        const { id, url } = await newCheckout();
        const { person, page } = await opens(url, options);
        await person.grantPermissions(['clipboard-read', 'clipboard-write']);
        await choose(page, 'Bank Central Asia');
        await proceed(page);
        await seen(page, 'Bank Central Asia');
        const { accountNumber } = (await depositOf(id)).paymentFiat;
        const copies = async (what: string) => {
          await page.getByRole('button', { name: `Copy ${what}` }).click();
          await page.getByText(/copied\.$/).waitFor();
          return await page.evaluate<string>('navigator.clipboard.readText()');
        };
        expect(await page.getByText(accountNumber ?? '').isVisible()).toBe(true);
        expect(await copies('account number')).toBe(accountNumber);
        expect(await copies('amount to pay')).toBe('150000');
        await fits(page);
        await keepPicture(page, `${device}-virtual-account`);
      });

      it('a refused choice is explained, also after leaving and returning, and then another is accepted', async () => {
        const { id, url } = await newCheckout();
        const [{ page }, { page: other }] = [await opens(url, options), await opens(url, options)];
        const says = (one: Page, problem: string) => one.getByRole('alert').filter({ hasText: problem }).waitFor();
        for (const one of [page, other]) {
          await one.evaluate("document.querySelector('form').noValidate = true");
          await proceed(one);
          await says(one, 'Choose one of the payment methods.');
        }
        await page.evaluate("document.querySelector('input').value = 'NONE'");
        await page.getByRole('radio').first().check();
        await proceed(page);
        await says(page, 'This payment method cannot be used here.');
        await page.reload();
        await says(page, 'This payment method cannot be used here.');
        await fits(page);
        await keepPicture(page, `${device}-not-taken`, 'window');
        await choose(page, 'QRIS');
        await proceed(page);
        await seen(page, 'Scan to pay with QRIS');
        await seen(other, 'Scan to pay with QRIS');
        expect([await page.getByRole('alert').count(), await other.getByRole('alert').count()]).toEqual([0, 0]);
        expect(page.url()).toBe(url);
        expect((await depositOf(id)).paymentFiat.bankCode).toBe('QRIS');
      });

      it('an amount is selected as plain digits when the browser refuses to copy', async () => {
        const { url } = await newCheckout();
        const { page } = await opens(url, { ...options, locale: 'id-ID' });
        await choose(page, 'Bank Mandiri');
        await page.getByRole('button', { name: 'Lanjutkan dengan Bank Mandiri' }).click();
        await page.evaluate('navigator.clipboard.writeText = () => Promise.reject(new Error())');
        await page.getByRole('button', { name: 'Salin jumlah yang dibayar' }).click();
        await page.getByText('Sudah ditandai. Salin dari sana.').waitFor({ state: 'attached' });
        expect(await page.evaluate<string>('getSelection().toString()')).toBe('150000');
      });

      it.each([
        ['en-GB', 'The method cannot be changed afterward.', 'Continue'],
        ['id-ID', 'Metode tidak dapat diubah setelah ini.', 'Lanjutkan'],
      ])(
        'the sentence that the choice is final is above the button at any scroll position: %s',
        async (locale, sentence, button) => {
          const { url } = await newCheckout();
          const { page } = await opens(url, { ...options, locale });
          for (const scroll of ['scrollTo(0, 0)', 'scrollTo(0, document.body.scrollHeight / 3)']) {
            await page.evaluate(scroll);
            const [note, control] = await Promise.all([
              page.getByText(sentence).boundingBox(),
              page.getByRole('button', { name: button }).boundingBox(),
            ]);
            if (note === null || control === null) throw new Error('nothing is shown');
            expect(note.y).toBeGreaterThanOrEqual(0);
            expect(note.y + note.height).toBeLessThanOrEqual(control.y);
            expect(control.y + control.height).toBeLessThanOrEqual(options.viewport?.height ?? 0);
            const { x, y } = { x: note.x + note.width / 2, y: note.y + note.height / 2 };
            expect(await page.evaluate<string>(`document.elementFromPoint(${x}, ${y}).textContent`)).toBe(sentence);
          }
        },
      );

      it('the link back leads to the merchant before and after payment, without a referrer', async () => {
        const returnUrl = 'https://kopi.example/orders/7';
        const { url } = await newCheckout({ ...rupiah, description: 'Two bags of coffee', returnUrl });
        const { person, page } = await opens(url, options);
        const visits: (string | undefined)[] = [];
        await person.route(`${returnUrl}*`, async (route) => {
          visits.push(route.request().headers()['referer']);
          await route.fulfill({ body: 'the shop', contentType: 'text/plain' });
        });
        const goesBack = async (words: string) => {
          await fits(page);
          expect(await page.getByText('Two bags of coffee').isVisible()).toBe(true);
          await page.getByRole('link', { name: words, exact: true }).click();
          await page.waitForURL(returnUrl);
          await page.goto(url);
        };
        await goesBack('Back to Sandbox Merchant without paying');
        await choose(page, 'QRIS');
        await proceed(page);
        await seen(page, 'Scan to pay with QRIS');
        await goesBack('Back to Sandbox Merchant');
        await pays(page);
        await seen(page, 'Payment received');
        await goesBack('Return to Sandbox Merchant');
        expect(visits).toEqual([undefined, undefined, undefined]);
      });

      it('the page is in Indonesian throughout for a browser that prefers it', async () => {
        const { url } = await newCheckout();
        const { person, page } = await opens(url, { ...options, locale: 'id-ID', timezoneId: 'Asia/Jakarta' });
        await person.grantPermissions(['clipboard-read', 'clipboard-write']);
        await page.getByText(/^Bayar sebelum \d\d\.\d\d$/).waitFor();
        await choose(page, 'Bank Mandiri');
        await page.getByRole('button', { name: 'Lanjutkan dengan Bank Mandiri' }).click();
        await seen(page, 'Transfer ke virtual account Bank Mandiri Anda');
        await page.getByRole('button', { name: 'Salin nomor rekening' }).click();
        await page.getByRole('button', { name: 'Tersalin' }).waitFor();
        expect(await page.getByRole('status').textContent()).toBe('Nomor rekening tersalin.');
        await page.getByRole('button', { name: 'Salin nomor rekening' }).waitFor();
        await page.getByRole('button', { name: 'Bayar IDR 150.000,00 sekarang' }).click();
        await seen(page, 'Pembayaran diterima');
        await fits(page);
        await keepPicture(page, `${device}-indonesian-paid`);
      });

      it.each([
        ['payment by wallet', rupiah, 'GoPay', 'Pay in GoPay'],
        [
          'bank transfer',
          { inputCurrency: 'USD', outputAmount: 1234.5 },
          'Citibank',
          'Transfer to this Citibank account',
        ],
        [
          'converted payment',
          { inputCurrency: 'PHP', outputAmount: 25, outputCurrency: 'usdt-tron' },
          'GCash',
          'Pay in GCash',
        ],
      ] as const)('a %s is explained', async (kind, body, method, heading) => {
        const { url } = await newCheckout(body);
        const { page } = await opens(url, { ...options, colorScheme: 'dark' });
        await keepPicture(page, `${device}-${kind.replaceAll(' ', '-')}-choosing`, 'window');
        await choose(page, method);
        await proceed(page);
        await seen(page, heading);
        await fits(page);
        await keepPicture(page, `${device}-${kind.replaceAll(' ', '-')}`);
      });
    });

    it.each([
      ['QRIS', rupiah],
      ['Bank Negara Indonesia', longest],
    ])('fits the narrowest phones: %s', async (method, body) => {
      const { url } = await newCheckout(body);
      const { page } = await opens(url, { ...phone, viewport: { width: 320, height: 568 } });
      await fits(page);
      await choose(page, method);
      await proceed(page);
      await seen(page, method);
      await fits(page);
      await keepPicture(page, `narrow-${method.split(' ')[0]}`);
    });

    it('shows that the connection is lost, and continues when it is back', async () => {
      const { url } = await newCheckout();
      const { person, page } = await opens(url, phone);
      await choose(page, 'QRIS');
      await proceed(page);
      await seen(page, 'Scan to pay with QRIS');
      await person.setOffline(true);
      const note = page.getByText('The connection is lost.');
      await note.waitFor({ timeout: 60_000 });
      await keepPicture(page, 'offline', 'window');
      await person.setOffline(false);
      await note.waitFor({ state: 'hidden', timeout: 60_000 });
      expect(complaints.splice(0).every((text) => text.includes('ERR_INTERNET_DISCONNECTED'))).toBe(true);
    });

    it('works by keyboard alone, and shows the focus', async () => {
      const { id, url } = await newCheckout();
      const { page } = await opens(url, desk);
      await page.keyboard.press('Tab');
      expect(await page.evaluate<string>('document.activeElement.name')).toBe('paymentMethod');
      await page.keyboard.press('ArrowDown');
      expect(
        await page.evaluate<string>("getComputedStyle(document.activeElement.closest('label')).outlineStyle"),
      ).toBe('solid');
      const method = await page.evaluate<string>('document.activeElement.value');
      await keepPicture(page, 'keyboard', 'window');
      await page.keyboard.press('Tab');
      expect(await page.evaluate<string>('document.activeElement.textContent')).toContain('Continue with');
      await page.keyboard.press('Enter');
      await page.getByText('Waiting for your payment').first().waitFor();
      expect((await depositOf(id)).paymentFiat.bankCode).toBe(method);
      const focused = () => page.evaluate<string>('document.activeElement.textContent');
      for (let tabs = 0; tabs < 10 && !/^Pay .* now$/.test(await focused()); tabs += 1)
        await page.keyboard.press('Tab');
      await page.keyboard.press('Space');
      await seen(page, 'Payment received');
    });

    it('works without any script, and then reloads by itself', async () => {
      const { id, url } = await newCheckout();
      const { page } = await opens(url, { ...phone, javaScriptEnabled: false });
      await choose(page, 'QRIS');
      await proceed(page);
      await seen(page, 'Scan to pay with QRIS');
      await keepPicture(page, 'without-script');
      const { page: other } = await opens(url, { ...phone, javaScriptEnabled: false });
      await pays(page);
      await seen(page, 'Payment received');
      await seen(other, 'Payment received');
      expect(await depositOf(id)).toMatchObject({ status: 'completed' });
    });

    it('two concurrent choices make one deposit, and two concurrent payments pay it once', async () => {
      const before = await balanceOf('IDR');
      const { id, url } = await newCheckout();
      // Without a script, neither page shows the other's choice until the next click.
      const people = [phone, desk].map((options) => opens(url, { ...options, javaScriptEnabled: false }));
      const pages = await Promise.all(people);
      const [one, two] = pages.map(({ page }) => page);
      if (one === undefined || two === undefined) throw new Error('two people');
      await Promise.all([choose(one, 'QRIS'), choose(two, 'GoPay')]);
      await Promise.all([proceed(one), proceed(two)]);
      const { bankCode } = (await depositOf(id)).paymentFiat;
      const heading = bankCode === 'QRIS' ? 'Scan to pay with QRIS' : 'Pay in GoPay';
      await Promise.all([seen(one, heading), seen(two, heading)]);
      await Promise.all([pays(one), pays(two)]);
      await Promise.all([seen(one, 'Payment received'), seen(two, 'Payment received')]);
      const { outputAmount } = await depositOf(id);
      expect(await balanceOf('IDR')).toBe(before + outputAmount);
    });

    describe('after 15 minutes', () => {
      const second = credentialsOf('sandbox-second');
      afterEach(() => resetSandbox(second));

      it('an open page shows its expiry without a reload, and stays expired', async () => {
        await resetSandbox(second);
        const { id, url } = await newCheckout(undefined, second);
        const { page } = await opens(url, phone);
        await seen(page, 'to Second Merchant');
        expect(await page.getByRole('timer').textContent()).toMatch(/1[45]:\d\d/);
        await passTime(841, second);
        await page
          .getByRole('timer')
          .filter({ hasText: /0:[0-5]\d/ })
          .waitFor({ timeout: 60_000 });
        await keepPicture(page, 'phone-last-minute', 'window');
        await passTime(60, second);
        await seen(page, 'This checkout has expired');
        expect(await page.getByRole('status').textContent()).toBe('This checkout has expired.');
        await keepPicture(page, 'phone-expired');
        await passTime(86_400 * 30, second);
        await page.reload();
        await seen(page, 'This checkout has expired');
        expect(await tracked(id, second)).toMatchObject({ statusCode: 404, message: 'Deposit not found' });
      });

      it('the instructions are withdrawn', async () => {
        await resetSandbox(second);
        const { id, url } = await newCheckout(undefined, second);
        const { page } = await opens(url, desk);
        await choose(page, 'Bank Central Asia');
        await proceed(page);
        await seen(page, 'Bank Central Asia');
        await passTime(901, second);
        await seen(page, 'This checkout has expired');
        expect(await page.getByText('that you were shown').isVisible()).toBe(true);
        await keepPicture(page, 'desk-expired');
        expect(await depositOf(id, second)).toMatchObject({ status: 'expired' });
      });
    });

    it('an unknown address shows an error', async () => {
      const { url } = await newCheckout();
      const { page } = await opens(url.replace(/[0-9a-f]{32}$/, '0'.repeat(32)), phone);
      await seen(page, 'There is no checkout here');
      await keepPicture(page, 'phone-unknown');
      expect(complaints.splice(0)).toEqual([expect.stringContaining('404')]);
    });
  },
);
