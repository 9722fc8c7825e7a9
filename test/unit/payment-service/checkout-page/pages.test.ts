import { describe, expect, it } from 'vitest';
import { awaitingPage } from '../../../../functions/payment-service/checkout-page/awaiting-page.ts';
import { choosingPage } from '../../../../functions/payment-service/checkout-page/choosing-page.ts';
import { html } from '../../../../functions/payment-service/checkout-page/html.ts';
import {
  completedPage,
  errorPage,
  expiredPage,
} from '../../../../functions/payment-service/checkout-page/outcome-pages.ts';
import { pageWords } from '../../../../functions/payment-service/checkout-page/words/page-words.ts';
import { Money } from '../../../../functions/payment-service/domain/money/money.ts';
import {
  awaiting,
  choosing,
  completed,
  expired,
  offers,
} from '../../../support/payment-service/deposits/checkout-views.ts';

const { en: english, id: indonesian } = pageWords;

/** The text on a page, without tags, style and script. Non-breaking spaces become ordinary ones. */
const textOf = (page: string): string =>
  page
    .replace(/<(style|script|title)>.*?<\/\1>/gs, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');

describe('the page for choosing a method', () => {
  const page = choosingPage(english, choosing);
  const text = textOf(page);

  it.each([
    ['the merchant', 'Kopi Nusantara'],
    ['the description of the order', 'Two bags of coffee'],
    ['the amount', 'IDR 150,000.00'],
    ['the deadline', 'Pay before 06:15 UTC'],
    ['a method with its fee', 'QRIS IDR 150,000.00 incl. fee IDR 1,050.00'],
    ['a method whose fee has cents', 'GoPay IDR 150,000.00 incl. fee IDR 2,250.50'],
    ['a method without a fee', 'Bank Mandiri IDR 150,000.00 no fee'],
    ['that it is a sandbox', 'no real money moves'],
    ['the reference', choosing.checkoutId],
  ])('shows %s', (_, shown) => {
    expect(text).toContain(shown);
  });

  it('offers every method, preselects none, and posts the choice relative to its own address', () => {
    const choices = [...page.matchAll(/<input type="radio" name="paymentMethod" value="(\w+)" required[^>]*>/g)];
    expect(choices.map(([, value]) => value)).toEqual(['QRIS', 'BCA_VA', 'MANDIRI', 'GOPAY']);
    expect(page).not.toContain(' checked');
    expect(page).toContain(`method="post" action="${choosing.checkoutId}/method"`);
  });

  it('preselects the only method', () => {
    expect(choosingPage(english, { ...choosing, offers: [offers.qr] })).toContain(' checked');
  });

  it('announces the problem with a choice', () => {
    expect(choosingPage(english, choosing, 'missing')).toContain('role="alert">Choose one of the payment methods.<');
    expect(page).not.toContain('role="alert"');
  });

  it('shows an amount in a currency without decimals', () => {
    expect(textOf(choosingPage(english, { ...choosing, amount: Money.of('2500000', 'VND') }))).toContain(
      'VND 2,500,000 ',
    );
  });

  it('mentions no sandbox outside one', () => {
    expect(choosingPage(english, { ...choosing, sandbox: false })).not.toMatch(/sandbox:/i);
  });
});

describe('the page with the instructions', () => {
  it.each([
    ['qr', ['Scan to pay with QRIS', 'Total to pay IDR 150,000.00', 'Amount IDR 148,950.00', 'Fee IDR 1,050.00']],
    ['virtualAccount', ['Account number 8808 0012 3456 7890', 'Account name Kopi Nusantara', 'Bank BCA']],
    ['transfer', ['Account number 1370 0123 4567 8', 'Payment reference PAY-7F3K9', 'Fee none']],
    ['wallet', ['Open GoPay', 'Amount to pay IDR 150,000.00']],
  ] as const)('%s', (kind, shown) => {
    const text = textOf(awaitingPage(english, awaiting[kind]));
    for (const part of ['Waiting for your payment', 'Pay before 06:15 UTC', ...shown]) expect(text).toContain(part);
  });

  it('copies account number and amount as digits only', () => {
    const page = awaitingPage(english, awaiting.virtualAccount);
    expect([...page.matchAll(/data-copy="([^"]*)"/g)].map(([, copied]) => copied)).toEqual([
      '8808001234567890',
      '150000',
    ]);
  });

  it('lets the digits be selected when the browser refuses to copy', () => {
    const page = awaitingPage(indonesian, awaiting.virtualAccount);
    const ids = [...page.matchAll(/data-selected="([^"]*)"/g)].map(([, id]) => id);
    const selected = ids.map((id) =>
      textOf(new RegExp(`id="${id}"[^>]*>(.*?)</(dd>|span><button)`).exec(page)?.[1] ?? ''),
    );
    expect(selected.map((text) => text.replaceAll(' ', ''))).toEqual(['8808001234567890', '150000']);
  });

  it('shows the QR code as an image with a description and a download link', () => {
    const page = awaitingPage(english, awaiting.qr);
    const { checkoutId } = awaiting.qr;
    expect(page).toContain(`<img src="${checkoutId}/qr.png"`);
    expect(page).toMatch(/alt="QR code: pay IDR\u00a0150,000.00 to Kopi Nusantara with QRIS"/);
    expect(page).toContain(`download="${checkoutId}.png"`);
    expect(awaitingPage(english, awaiting.transfer)).not.toContain('<img');
  });

  it('links to a wallet by https only, without a referrer', () => {
    expect(awaitingPage(english, awaiting.wallet)).toContain(
      'href="https://wallet.example/pay/abc" target="_blank" rel="noopener noreferrer"',
    );
    const checkoutUrl = 'javascript:alert(1)';
    expect(
      awaitingPage(english, { ...awaiting.wallet, instructions: { ...awaiting.wallet.instructions, checkoutUrl } }),
    ).not.toContain('javascript');
  });

  it('has the button that simulates the payment only in a sandbox', () => {
    expect(awaitingPage(english, awaiting.qr)).toContain('/pay"');
    expect(awaitingPage(english, { ...awaiting.qr, sandbox: false })).not.toContain('/pay"');
  });

  it('reloads by itself without a script', () => {
    expect(awaitingPage(english, awaiting.qr)).toContain(
      '<noscript><meta http-equiv="refresh" content="10"></noscript>',
    );
    expect(choosingPage(english, choosing)).not.toContain('http-equiv="refresh"');
  });
});

it('the page of a paid checkout shows amount, method and time', () => {
  const text = textOf(completedPage(english, completed));
  expect(text).toContain('Payment received');
  expect(text).toContain('Two bags of coffee');
  expect(text).toContain('Paid IDR 150,000.00 Method QRIS When Nov 21, 2026, 06:07 UTC');
});

it('the page of an expired checkout offers nothing, and warns of instructions shown before', () => {
  const page = expiredPage(english, expired);
  expect(page).toContain('Two bags of coffee');
  expect(textOf(page)).toContain('It could be paid until Nov 21, 2026, 06:15 UTC');
  expect(page).not.toMatch(/<form|<button|<img/);
  expect(textOf(page)).not.toMatch(/no longer|Stop using/);
  expect(textOf(expiredPage(english, { ...expired, secondsLeft: 60 }))).toContain('It can no longer be paid. Go back');
  expect(textOf(expiredPage(english, { ...expired, picked: offers.transfer }))).toContain(
    'Stop using the Bank Mandiri instructions that you were shown',
  );
});

describe('the link back to the merchant', () => {
  const returnUrl = 'https://kopi.example/orders/7?paid=no&lang=id';
  it.each([
    ['choosing', choosingPage(english, { ...choosing, returnUrl }), 'Back to Kopi Nusantara without paying'],
    ['awaiting', awaitingPage(english, { ...awaiting.transfer, returnUrl }), 'Back to Kopi Nusantara'],
    ['paid', completedPage(english, { ...completed, returnUrl }), 'Return to Kopi Nusantara'],
    ['expired', expiredPage(english, { ...expired, returnUrl }), 'Go back to Kopi Nusantara'],
  ])('leads to the merchant’s address, with fitting words: %s', (_, page, words) => {
    const [, attributes = '', inside = ''] = /<a ([^>]*)>((?:(?!<\/a>).)*kopi.*?)<\/a>/is.exec(page) ?? [];
    expect(attributes).toContain('href="https://kopi.example/orders/7?paid=no&amp;lang=id"');
    expect(attributes).toContain('rel="noopener noreferrer"');
    expect(textOf(inside).trim()).toBe(words);
    expect(textOf(page)).not.toContain('You can close this page');
  });

  it('is missing when the merchant gave none', () => {
    for (const page of [
      choosingPage(english, choosing),
      awaitingPage(english, awaiting.qr),
      expiredPage(english, expired),
    ])
      expect(page).not.toContain('Kopi Nusantara</span></a>');
    expect(textOf(completedPage(english, completed))).toContain('You can close this page.');
  });
});

describe('in Indonesian', () => {
  it.each([
    [
      'choosing',
      choosingPage(indonesian, choosing),
      ['IDR 150.000,00 termasuk biaya IDR 2.250,50', 'Bayar sebelum 06.15 UTC'],
    ],
    ['awaiting', awaitingPage(indonesian, awaiting.wallet), ['Total pembayaran IDR 150.000,00', 'Biaya IDR 2.250,50']],
    ['paid', completedPage(indonesian, completed), ['Dibayar IDR 150.000,00', 'Waktu 21 Nov 2026, 06.07 UTC']],
    ['expired', expiredPage(indonesian, expired), ['dapat dibayar sampai 21 Nov 2026, 06.15 UTC']],
    ['error', errorPage(indonesian, 'notFound'), ['Tidak ada checkout di sini']],
  ])('amounts, dates and words are: %s', (_, page, shown) => {
    expect(page).toContain('<html lang="id">');
    for (const part of shown) expect(textOf(page)).toContain(part);
  });

  it('every digit of an amount that a binary fraction cannot hold is shown', () => {
    const amount = Money.of('9007199254740993.123456789012345678', 'IDR');
    expect(textOf(choosingPage(indonesian, { ...choosing, amount }))).toContain(
      'IDR 9.007.199.254.740.993,123456789012345678 ',
    );
  });

  it('the amount is copied in the form that banks accept', () => {
    expect(awaitingPage(indonesian, awaiting.wallet)).toContain('data-copy="150000"');
  });
});

describe('text from others is escaped:', () => {
  const hostile = `"><script>alert('&')</script>`;
  const shown = { merchantName: hostile, description: hostile, returnUrl: `https://kopi.example/${hostile}` };
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
    ['choosing', choosingPage(english, { ...choosing, ...shown, offers: [picked] })],
    ['awaiting', awaitingPage(english, { ...awaiting.transfer, ...shown, picked, instructions })],
    ['completed', completedPage(english, { ...completed, ...shown, picked })],
    ['expired', expiredPage(english, { ...expired, ...shown, picked })],
  ])('%s', (_, page) => {
    expect(page).toContain('&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;');
    expect(page).not.toContain(hostile);
    expect(page).not.toContain('alert(&#39;&amp;&#39;)</script>');
    expect(page.match(/<script/g)?.length ?? 0).toBeLessThanOrEqual(1);
  });

  it.each(['javascript:alert(1)', 'http://kopi.example/', 'https://kopi.example/ onclick=x', 'data:text/html,x'])(
    'is never a link back: %s',
    (returnUrl) => {
      for (const page of [
        choosingPage(english, { ...choosing, returnUrl }),
        completedPage(english, { ...completed, returnUrl }),
      ]) {
        expect(page).not.toContain('<a ');
        expect(page).not.toContain(returnUrl);
      }
    },
  );

  it('contents are escaped and HTML is kept, in lists too', () => {
    const list = ['<', html`<b>${'&'}</b>`, undefined];
    expect(html`<p title="${'"\''}">${list}</p>`.source).toBe('<p title="&quot;&#39;">&lt;<b>&amp;</b></p>');
  });
});
