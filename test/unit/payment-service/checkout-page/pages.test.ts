import { describe, expect, it } from 'vitest';
import { awaitingPage } from '../../../../functions/payment-service/checkout-page/awaiting-page.ts';
import { choosingPage } from '../../../../functions/payment-service/checkout-page/choosing-page.ts';
import { html } from '../../../../functions/payment-service/checkout-page/html.ts';
import {
  completedPage,
  errorPage,
  expiredPage,
} from '../../../../functions/payment-service/checkout-page/outcome-pages.ts';
import { awaiting, choosing, completed, expired, offers } from '../../../support/payment-service/checkout-views.ts';

/** What stands on a page, without tags, style and script; spaces that hold numbers together are ordinary ones. */
const textOf = (page: string): string =>
  page
    .replace(/<(style|script|title)>.*?<\/\1>/gs, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');

describe('the page to choose on', () => {
  const page = choosingPage(choosing);
  const text = textOf(page);

  it.each([
    ['the merchant', 'Pay Kopi Nusantara'],
    ['the amount', 'IDR 150,000.00'],
    ['until when', 'Pay before 06:15 UTC'],
    ['a method with its fee', 'QRIS IDR 150,000.00 incl. fee IDR 1,050.00'],
    ['a method whose fee has cents', 'GoPay IDR 150,000.00 incl. fee IDR 2,250.50'],
    ['a method without a fee', 'Bank Mandiri IDR 150,000.00 no fee'],
    ['that it is a sandbox', 'no real money moves'],
    ['the reference', choosing.checkoutId],
  ])('shows %s', (_, shown) => {
    expect(text).toContain(shown);
  });

  it('lets every method be chosen, none beforehand, and posts the choice relative to its own address', () => {
    const choices = [...page.matchAll(/<input type="radio" name="paymentMethod" value="(\w+)" required[^>]*>/g)];
    expect(choices.map(([, value]) => value)).toEqual(['QRIS', 'BCA_VA', 'MANDIRI', 'GOPAY']);
    expect(page).not.toContain(' checked');
    expect(page).toContain(`method="post" action="${choosing.checkoutId}/method"`);
  });

  it('chooses the only method there is', () => {
    expect(choosingPage({ ...choosing, offers: [offers.qr] })).toContain(' checked');
  });

  it('names what is wrong with a choice, aloud', () => {
    expect(choosingPage(choosing, 'Choose one.')).toContain('role="alert">Choose one.<');
    expect(page).not.toContain('role="alert"');
  });

  it('shows an amount in a currency without decimals as such', () => {
    expect(textOf(choosingPage({ ...choosing, currency: 'VND', amount: '2500000' }))).toContain('VND 2,500,000 ');
  });

  it('says nothing of a sandbox where there is none', () => {
    expect(choosingPage({ ...choosing, sandbox: false })).not.toMatch(/sandbox:/i);
  });
});

describe('the page with the instructions', () => {
  it.each([
    ['qr', ['Scan to pay with QRIS', 'Amount IDR 148,950.00', 'Fee IDR 1,050.00', 'Total to pay IDR 150,000.00']],
    ['virtualAccount', ['Account number 8808 0012 3456 7890', 'Account name Kopi Nusantara', 'Bank BCA']],
    ['transfer', ['Account number 1370 0123 4567 8', 'Payment reference PAY-7F3K9', 'Fee none']],
    ['wallet', ['Open GoPay', 'Amount to pay IDR 150,000.00']],
  ] as const)('%s', (kind, shown) => {
    const text = textOf(awaitingPage(awaiting[kind]));
    for (const part of ['Waiting for your payment', 'Pay before 06:15 UTC', ...shown]) expect(text).toContain(part);
  });

  it('copies account number and amount as digits alone', () => {
    const page = awaitingPage(awaiting.virtualAccount);
    expect([...page.matchAll(/data-copy="([^"]*)"/g)].map(([, copied]) => copied)).toEqual([
      '8808001234567890',
      '150000',
    ]);
  });

  it('shows the QR code as an image that says what it is for, and that can be saved', () => {
    const page = awaitingPage(awaiting.qr);
    const { checkoutId } = awaiting.qr;
    expect(page).toContain(`<img src="${checkoutId}/qr.png"`);
    expect(page).toMatch(/alt="QR code: pay IDR\u00a0150,000.00 to Kopi Nusantara with QRIS"/);
    expect(page).toContain(`download="${checkoutId}.png"`);
    expect(awaitingPage(awaiting.transfer)).not.toContain('<img');
  });

  it('links a wallet by https only, and tells it nothing', () => {
    expect(awaitingPage(awaiting.wallet)).toContain(
      'href="https://wallet.example/pay/abc" target="_blank" rel="noopener noreferrer"',
    );
    const checkoutUrl = 'javascript:alert(1)';
    expect(
      awaitingPage({ ...awaiting.wallet, instructions: { ...awaiting.wallet.instructions, checkoutUrl } }),
    ).not.toContain('javascript');
  });

  it('has the button that pays in a sandbox only', () => {
    expect(awaitingPage(awaiting.qr)).toContain('/pay"');
    expect(awaitingPage({ ...awaiting.qr, sandbox: false })).not.toContain('/pay"');
  });

  it('asks again by itself where there is no script', () => {
    expect(awaitingPage(awaiting.qr)).toContain('<noscript><meta http-equiv="refresh" content="10"></noscript>');
    expect(choosingPage(choosing)).not.toContain('http-equiv="refresh"');
  });
});

it('the page of a paid checkout says what was paid, how and when', () => {
  const text = textOf(completedPage(completed));
  expect(text).toContain('Payment received');
  expect(text).toContain('Paid IDR 150,000.00 Method QRIS When 21 Nov 2026, 06:07 UTC');
});

it('the page of an expired checkout offers nothing, and warns of instructions that were shown', () => {
  const page = expiredPage(expired);
  expect(textOf(page)).toContain('It could be paid until 21 Nov 2026, 06:15 UTC');
  expect(page).not.toMatch(/<form|<button|<img/);
  expect(textOf(page)).not.toContain('any more');
  expect(textOf(expiredPage({ ...expired, secondsLeft: 60 }))).toContain('It cannot be paid any more. Go back');
  expect(textOf(expiredPage({ ...expired, picked: offers.transfer }))).toContain(
    'Do not use the Bank Mandiri instructions you were shown any more',
  );
});

describe('what others chose is text and nothing else', () => {
  const hostile = `"><script>alert('&')</script>`;
  const merchantName = hostile;
  const picked = { ...offers.virtualAccount, name: hostile, paymentMethod: hostile };
  const instructions = {
    bankName: hostile,
    bankCode: hostile,
    accountName: hostile,
    accountNumber: hostile,
    paymentReference: hostile,
    checkoutUrl: `https://wallet.example/${hostile}`,
  };
  it.each([
    ['choosing', choosingPage({ ...choosing, merchantName, offers: [picked] }, hostile)],
    ['awaiting', awaitingPage({ ...awaiting.transfer, merchantName, picked, instructions })],
    ['completed', completedPage({ ...completed, merchantName, picked })],
    ['expired', expiredPage({ ...expired, merchantName, picked })],
    ['error', errorPage(hostile, hostile)],
  ])('%s', (_, page) => {
    expect(page).toContain('&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;');
    expect(page).not.toContain(hostile);
    expect(page).not.toContain('alert(&#39;&amp;&#39;)</script>');
    expect(page.match(/<script/g)?.length ?? 0).toBeLessThanOrEqual(1);
  });

  it('escapes text and keeps what is HTML, also in lists', () => {
    const list = ['<', html`<b>${'&'}</b>`, undefined];
    expect(html`<p title="${'"\''}">${list}</p>`.source).toBe('<p title="&quot;&#39;">&lt;<b>&amp;</b></p>');
  });
});
