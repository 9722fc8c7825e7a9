import { afterAll, describe, expect, it, vi } from 'vitest';
import {
  depositAt,
  depositIn,
  depositPageAt,
  postCryptoDeposit,
  postFiatDeposit,
} from '../../support/payment-service/deposits.ts';
import {
  balanceOf,
  credentialsOf,
  envelopeOf,
  getSigned,
  send,
  uniqueWord,
} from '../../support/payment-service/merchant.ts';

const patience = { timeout: 40_000, interval: 500 };
const fiatPath = (id: string | undefined) => `/v1/deposit/fiat/${id}`;
const cryptoPath = (id: string | undefined) => `/v1/deposit/crypto/${id}`;
const patch = (id: string | undefined, status: unknown) => send('PATCH', `/v1/deposit/${id}`, { status });
const cancel = (id: string | undefined, as?: Parameters<typeof send>[3]) =>
  send('PATCH', `/v1/deposit/${id}/cancel`, undefined, as);
const second = await credentialsOf('sandbox-second');
const basic = await credentialsOf('sandbox-basic');

describe('POST /v1/deposit/fiat', () => {
  it('answers 201 with the record, and detail shows the same by id and by reference', async () => {
    const reference = uniqueWord();
    const answer = await envelopeOf(postFiatDeposit({ reference, note: 'order 7' }));
    expect(answer).toMatchObject({ statusCode: 201, message: 'Fiat deposit created' });
    expect(answer['data']).toEqual({
      depositId: expect.stringMatching(/^dep_[0-9a-f]{24}$/),
      depositType: 'fiat',
      userId: expect.any(String),
      inputCurrency: 'PHP',
      inputAmount: 1000,
      outputCurrency: 'PHP',
      outputAmount: 985,
      fee: { amount: 15, percentage: 0, currency: 'PHP' },
      paymentFiat: {
        bankName: 'BDO Unibank',
        bankCode: 'BDO',
        accountName: 'Sandbox Merchant',
        accountNumber: expect.stringMatching(/^\d{12}$/),
        paymentReference: expect.any(String),
      },
      status: 'pending',
      activityHistory: [
        {
          activity: 'Deposit created',
          status: 'pending',
          description: expect.any(String),
          updatedAt: expect.any(String),
        },
      ],
      reference,
      note: 'order 7',
      expiredAt: expect.any(String),
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    const { depositId } = await depositAt(fiatPath(reference));
    expect(await envelopeOf(getSigned(fiatPath(depositId)))).toEqual({
      statusCode: 200,
      message: 'Fiat deposit',
      data: answer['data'],
      requestId: expect.any(String),
      timestamp: expect.any(String),
    });
  });

  it.each([
    ['va', { inputCurrency: 'IDR', outputCurrency: 'IDR', inputAmount: 50_000, paymentMethod: 'BCA' }, 'accountNumber'],
    [
      'bank_transfer',
      { inputCurrency: 'USD', outputCurrency: 'USD', inputAmount: 50, paymentMethod: 'CHASUS33' },
      'routingNumber',
    ],
    ['qris', { paymentMethod: 'QRPH' }, 'qrData'],
    ['ewallet', { paymentMethod: 'GCASH' }, 'checkoutUrl'],
  ])('fills the instructions of %s', async (_, fields, filled) => {
    const deposit = await depositIn(postFiatDeposit(fields));
    expect(deposit['paymentFiat']).toHaveProperty(filled);
  });

  it('converts into tokens at the current rate, and says so', async () => {
    const deposit = await depositIn(
      postFiatDeposit({
        outputCurrency: 'usdt-tron',
        balanceType: 'crypto',
        inputAmount: undefined,
        outputAmount: { crypto: 10 },
      }),
    );
    expect(deposit).toMatchObject({
      outputCurrency: 'usdt-tron',
      outputAmount: 10,
      inputAmount: 599.2,
      exchangeInfo: { exchangeRate: 58.42, outputCurrency: 'usdt-tron', outputAmount: 10 },
    });
  });

  it.each([
    ['an unknown method', { paymentMethod: 'NOBANK' }, 'Payment method not found'],
    [
      'no amount',
      { inputAmount: undefined },
      'exactly one of inputAmount, outputAmount.fiat and outputAmount.crypto is required',
    ],
    [
      'an amount over the limit',
      { inputAmount: 2_000_001 },
      'the amount to pay must be between 50 and 2000000, and it is 2000001',
    ],
    ['a negative amount', { inputAmount: -1 }, 'inputAmount: must be a positive number'],
    ['an unknown quote', { quoteId: 'quo_0' }, 'Quote not found'],
    ['no output currency', { outputCurrency: undefined }, 'outputCurrency: must be a text'],
    ['a balance type that is none', { balanceType: 'gold' }, 'balanceType: must be one of fiat, crypto'],
    ['text that is no JSON', undefined, 'the body is not JSON'],
  ])('refuses %s', async (_, fields, message) => {
    const answer = fields === undefined ? send('POST', '/v1/deposit/fiat', '{') : postFiatDeposit(fields);
    expect(await envelopeOf(answer)).toMatchObject({ statusCode: 400, message });
  });

  it('takes only what the account has enabled', async () => {
    expect(await envelopeOf(postFiatDeposit({}, basic))).toMatchObject({
      statusCode: 400,
      message: 'Payment method not found',
    });
    expect(await envelopeOf(postCryptoDeposit({ outputCurrency: 'THB' }, basic))).toMatchObject({ statusCode: 400 });
  });
});

describe('POST /v1/deposit/crypto', () => {
  it('issues an address of its own to each deposit', async () => {
    const [one, other] = [await depositIn(postCryptoDeposit()), await depositIn(postCryptoDeposit())];
    expect(one).toMatchObject({
      depositType: 'crypto',
      inputCurrency: 'usdc-polygon',
      outputCurrency: 'usdc-polygon',
      outputAmount: 19.95,
      status: 'pending',
      paymentCrypto: { network: 'polygon', payoutWallet: expect.stringMatching(/^0x[0-9a-f]{40}$/) },
    });
    expect(one['paymentCrypto']).not.toEqual(other['paymentCrypto']);
    expect(one).not.toHaveProperty('exchangeInfo');
    expect(one).not.toHaveProperty('paymentFiat');
  });

  it('gives a memo on a network that uses one', async () => {
    const deposit = await depositIn(postCryptoDeposit({ inputCurrency: 'usdc-stellar' }));
    expect(deposit['paymentCrypto']).toEqual({
      network: 'stellar',
      payoutWallet: expect.stringMatching(/^G[A-Z2-7]{55}$/),
      memo: expect.stringMatching(/^\d{10}$/),
    });
  });

  it('converts into fiat, at the rate of a quote when it names one, which is used up by it', async () => {
    const query = 'inputCurrency=usdc-polygon&outputCurrency=THB&inputAmount=20&markupRatePercentage=50';
    const quoted = await envelopeOf(getSigned(`/v1/convert/estimate?${query}`));
    const { quoteId } = Object(quoted['data']);
    const fields = { outputCurrency: 'THB', quoteId };
    expect(await depositIn(postCryptoDeposit(fields))).toMatchObject({
      exchangeInfo: { exchangeRate: 17.09, outputCurrency: 'THB' },
    });
    expect(await envelopeOf(postCryptoDeposit(fields))).toMatchObject({
      statusCode: 400,
      message: 'Quote was already used',
    });
    expect(await envelopeOf(postCryptoDeposit({ outputCurrency: 'THB' }))).toMatchObject({
      data: { exchangeInfo: { exchangeRate: 34.18 } },
    });
  });

  it('does not take the quote of another merchant', async () => {
    const query = 'inputCurrency=usdc-polygon&outputCurrency=THB&inputAmount=20';
    const quoted = await envelopeOf(getSigned(`/v1/convert/estimate?${query}`, { as: second }));
    const { quoteId } = Object(quoted['data']);
    expect(await envelopeOf(postCryptoDeposit({ outputCurrency: 'THB', quoteId }))).toMatchObject({
      statusCode: 400,
      message: 'Quote not found',
    });
  });

  it.each([
    ['an unknown token', { inputCurrency: 'doge-dogecoin' }, 'Crypto not found'],
    ['another token as output', { outputCurrency: 'usdt-tron' }, 'this pair cannot be converted'],
    ['no amount', { inputAmount: undefined }, 'inputAmount: must be a positive number'],
  ])('refuses %s', async (_, fields, message) => {
    expect(await envelopeOf(postCryptoDeposit(fields))).toMatchObject({ statusCode: 400, message });
  });
});

describe('a reference', () => {
  it('is used once, by one type or the other', async () => {
    const reference = uniqueWord();
    const [first, again] = [
      await envelopeOf(postFiatDeposit({ reference })),
      await envelopeOf(postCryptoDeposit({ reference })),
    ];
    expect(first.statusCode).toBe(201);
    expect(again).toMatchObject({ statusCode: 400, message: `reference ${reference} was used before` });
  });

  it('makes one deposit, also of eight POSTs at once', async () => {
    const reference = uniqueWord();
    const answers = await Promise.all(Array.from({ length: 8 }, () => envelopeOf(postFiatDeposit({ reference }))));
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([
      201,
      ...Array.from({ length: 7 }, () => 400),
    ]);
  });

  it('of one merchant says nothing to another', async () => {
    const reference = uniqueWord();
    await depositIn(postFiatDeposit({ reference }));
    expect((await envelopeOf(postFiatDeposit({ reference }, second))).statusCode).toBe(201);
  });
});

describe('detail', () => {
  it('does not find a deposit of the other type, nor of another merchant, by id or reference', async () => {
    const [one, other] = [
      await depositIn(postFiatDeposit({ reference: uniqueWord() })),
      await depositIn(postCryptoDeposit({ reference: uniqueWord() })),
    ];
    const missing = { statusCode: 404, message: 'Deposit not found' };
    for (const name of [one.depositId, one.reference]) {
      expect(await envelopeOf(getSigned(cryptoPath(name)))).toMatchObject(missing);
      expect(await envelopeOf(getSigned(fiatPath(name), { as: second }))).toMatchObject(missing);
    }
    for (const name of [other.depositId, other.reference]) {
      expect(await envelopeOf(getSigned(fiatPath(name)))).toMatchObject(missing);
    }
    expect((await depositAt(cryptoPath(other.reference))).depositId).toBe(other.depositId);
  });

  it.each(['nobody', 'dep_0', 'x'.repeat(3000)])('of %s is a 404', async (name) => {
    for (const path of [fiatPath(name), cryptoPath(name)]) {
      expect(await envelopeOf(getSigned(path))).toMatchObject({ statusCode: 404, message: 'Deposit not found' });
    }
  });
});

describe('PATCH /v1/deposit/:depositId', () => {
  it('moves the credit with the status, and tells who paid once somebody has', async () => {
    const deposit = await depositIn(postFiatDeposit());
    const before = await balanceOf('PHP');
    for (const [status, balance] of [
      ['completed', before + 985],
      ['completed', before + 985],
      ['expired', before],
      ['completed', before + 985],
      ['pending', before],
    ] as const) {
      const answer = await envelopeOf(patch(deposit.depositId, status));
      expect(answer).toMatchObject({ statusCode: 200, message: 'Deposit updated', data: { status, exchangeRate: 1 } });
      const shown = await depositAt(fiatPath(deposit.depositId));
      expect(shown.status).toBe(status);
      expect('payerInfo' in shown && 'paidAt' in shown && 'settlementType' in shown && 'bankNote' in shown).toBe(
        status === 'completed',
      );
      expect(await balanceOf('PHP')).toBe(balance);
    }
  });

  it('tells the transaction of a paid crypto deposit, and credits what it was converted into', async () => {
    const deposit = await depositIn(postCryptoDeposit({ outputCurrency: 'SGD' }));
    const before = await balanceOf('SGD');
    expect(await envelopeOf(patch(deposit.depositId, 'completed'))).toMatchObject({
      data: {
        exchangeRate: 1.3465,
        transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        senderWallet: expect.stringMatching(/^0x[0-9a-f]{40}$/),
      },
    });
    expect(await balanceOf('SGD')).toBeCloseTo(before + deposit.outputAmount, 6);
  });

  it.each([
    ['an unknown deposit', 'dep_0', 'completed', 'Deposit not found'],
    ['no status', 'dep_0', undefined, 'status: must be a text'],
  ])('of %s is refused', async (_, id, status, message) => {
    expect(await envelopeOf(patch(id, status))).toMatchObject({ statusCode: 400, message });
  });

  it('takes only the three statuses, and only own deposits', async () => {
    const deposit = await depositIn(postFiatDeposit());
    expect(await envelopeOf(patch(deposit.depositId, 'failed'))).toMatchObject({
      statusCode: 400,
      message: 'status must be one of pending, expired, completed',
    });
    expect(
      await envelopeOf(send('PATCH', `/v1/deposit/${deposit.depositId}`, { status: 'completed' }, second)),
    ).toMatchObject({
      statusCode: 400,
      message: 'Deposit not found',
    });
  });

  it('cannot take back what was spent meanwhile', async () => {
    const deposit = await depositIn(
      postFiatDeposit({ inputCurrency: 'THB', outputCurrency: 'THB', paymentMethod: 'KBANK' }, second),
    );
    const asSecond = (path: string, body: object) =>
      send(path.startsWith('/v2') ? 'POST' : 'PATCH', path, body, second);
    await envelopeOf(asSecond(`/v1/deposit/${deposit.depositId}`, { status: 'completed' }));
    const spent = await envelopeOf(
      asSecond('/v2/disbursement/fiat', { currency: 'THB', disburseData: [{ recipientId: 'rcp_anna', amount: 900 }] }),
    );
    expect(spent.statusCode).toBe(200);
    expect(await envelopeOf(asSecond(`/v1/deposit/${deposit.depositId}`, { status: 'pending' }))).toMatchObject({
      statusCode: 400,
      message: 'insufficient balance',
    });
  });
});

describe('PATCH /v1/deposit/:depositId/cancel', () => {
  it('expires a pending deposit, once', async () => {
    const deposit = await depositIn(postFiatDeposit());
    expect(await envelopeOf(cancel(deposit.depositId))).toEqual({ statusCode: 200, message: 'Deposit cancelled' });
    const shown = await depositAt(fiatPath(deposit.depositId));
    expect(shown.status).toBe('expired');
    expect(shown.activityHistory.at(-1)?.activity).toBe('Deposit cancelled');
    expect(await envelopeOf(cancel(deposit.depositId))).toMatchObject({
      statusCode: 400,
      message: 'a deposit that is expired cannot be cancelled',
    });
  });

  it('of a completed, an unknown or another merchant’s deposit is refused', async () => {
    const deposit = await depositIn(postCryptoDeposit());
    expect(await envelopeOf(cancel(deposit.depositId, second))).toMatchObject({
      statusCode: 400,
      message: 'Deposit not found',
    });
    await patch(deposit.depositId, 'completed');
    expect(await envelopeOf(cancel(deposit.depositId))).toMatchObject({
      statusCode: 400,
      message: 'a deposit that is completed cannot be cancelled',
    });
    expect(await envelopeOf(cancel('dep_0'))).toMatchObject({ statusCode: 400, message: 'Deposit not found' });
  });
});

describe('by itself', () => {
  it('a deposit is paid, or expires, as its reference says', async () => {
    const before = await balanceOf('VND');
    const fields = { inputCurrency: 'VND', outputCurrency: 'VND', inputAmount: 100_000, paymentMethod: 'VIETQR' };
    const [paid, expired] = [
      await depositIn(postFiatDeposit({ ...fields, reference: `autopay-${uniqueWord()}` })),
      await depositIn(postFiatDeposit({ ...fields, reference: `expire-${uniqueWord()}` })),
    ];
    await vi.waitFor(async () => {
      const shown = [await depositAt(fiatPath(paid.depositId)), await depositAt(fiatPath(expired.depositId))];
      expect(shown.map(({ status }) => status)).toEqual(['completed', 'expired']);
    }, patience);
    expect(await balanceOf('VND')).toBe(before + paid.outputAmount);
    expect(await depositAt(fiatPath(paid.depositId))).toMatchObject({ paidAt: expect.any(String) });
  });
});

describe('lists', () => {
  it('have what was just created, by type, status and sort', async () => {
    const made = [
      await depositIn(postFiatDeposit()),
      await depositIn(postCryptoDeposit()),
      await depositIn(postFiatDeposit()),
    ];
    const [first, crypto, last] = made.map(({ depositId }) => depositId);
    const newest = async (path: string) => (await depositPageAt(path)).docs.map(({ depositId }) => depositId);
    expect(await newest('/v1/deposit/fiat?sort=-createdAt&limit=2')).toEqual([last, first]);
    expect(await newest('/v1/deposit/crypto?limit=1')).toEqual([crypto]);
    expect(await newest('/v1/deposit/fiat?sort=createdAt&limit=1')).not.toContain(last);
    await cancel(first);
    expect(await newest('/v1/deposit/fiat?sort=-updatedAt&limit=2')).toEqual([first, last]);
    expect(await newest('/v1/deposit/fiat?sort=-createdAt&status=pending&limit=1')).toEqual([last]);
    expect(await newest('/v1/deposit/fiat?sort=-updatedAt&status=expired&limit=1')).toEqual([first]);
  });

  it('page without gaps, ten at a time by default', async () => {
    const { docs, totalDocs, hasNextPage } = await depositPageAt('/v1/deposit/fiat');
    expect(totalDocs).toBeGreaterThan(10);
    expect([docs.length, hasNextPage]).toEqual([10, true]);
    const all = (await depositPageAt('/v1/deposit/fiat?limit=100')).docs.map(({ depositId }) => depositId);
    const pages = await Promise.all([1, 2, 3].map((page) => depositPageAt(`/v1/deposit/fiat?limit=4&page=${page}`)));
    expect(pages.flatMap((page) => page.docs.map(({ depositId }) => depositId))).toEqual(all.slice(0, 12));
  });

  it.each([
    ['/v1/deposit/fiat?depositBulkId=b', { docs: [], totalDocs: 0, totalPages: 1 }],
    ['/v1/deposit/fiat?page=900', { docs: [], page: 900, hasNextPage: false }],
    ['/v1/deposit/crypto?limit=100', { limit: 100 }],
  ])('GET %s', async (path, data) => {
    expect(await envelopeOf(getSigned(path))).toMatchObject({ statusCode: 200, data });
  });

  it.each([
    ['/v1/deposit/fiat?limit=101', 'limit must be at most 100'],
    ['/v1/deposit/crypto?limit=101', 'limit must be at most 100'],
    ['/v1/deposit/fiat?page=0', 'page: must be a whole number from 1'],
    ['/v1/deposit/fiat?status=failed', 'status: must be one of pending, expired, completed'],
    ['/v1/deposit/crypto?sort=amount', 'sort: must be one of createdAt, -createdAt, updatedAt, -updatedAt'],
  ])('GET %s is refused', async (path, message) => {
    expect(await envelopeOf(getSigned(path))).toMatchObject({ statusCode: 400, message });
  });

  it('answer with requestId and timestamp where the document shows them', async () => {
    const [fiat, crypto] = [
      await envelopeOf(getSigned('/v1/deposit/fiat')),
      await envelopeOf(getSigned('/v1/deposit/crypto')),
    ];
    expect([Object.keys(fiat), Object.keys(crypto)]).toEqual([
      ['statusCode', 'message', 'data', 'requestId', 'timestamp'],
      ['statusCode', 'message', 'data'],
    ]);
  });
});

describe('GET /v1/deposit/payment-method', () => {
  it('lists the enabled methods of a currency, or of all', async () => {
    const some = await envelopeOf(send('GET', '/v1/deposit/payment-method?currency=THB'));
    expect(some['data']).toContainEqual({
      depositPaymentType: 'qris',
      bankName: 'PromptPay',
      bankCode: 'PROMPTPAY',
      currency: 'THB',
      minimumAmount: 1,
      maximumAmount: 500_000,
      image: 'https://assets.example/deposit-methods/thb-promptpay.svg',
      feeFlat: 0,
      feePercentage: 0.8,
    });
    const all = Object((await envelopeOf(send('GET', '/v1/deposit/payment-method')))['data']);
    expect(all.length).toBeGreaterThan(Object(some['data']).length);
    expect(await envelopeOf(send('GET', '/v1/deposit/payment-method?currency=XXX'))).toMatchObject({ data: [] });
    expect(await envelopeOf(send('GET', '/v1/deposit/payment-method', undefined, basic))).toMatchObject({ data: [] });
  });
});

describe('GET /v1/deposit and GET /v1/deposit/:depositIdOrReference', () => {
  const steer = (path: string, body?: object) => envelopeOf(send('POST', `/sandbox/${path}`, body, second));
  afterAll(() => steer('reset'));

  it('answer for both types until 13 October 2026, and are gone from then on', async () => {
    await steer('reset');
    await steer('clock', { setTo: '2026-10-12T12:00:00Z' });
    const fiat = await depositIn(postFiatDeposit({ reference: uniqueWord() }, second));
    const crypto = await depositIn(postCryptoDeposit({}, second));
    const ids = async (query: string) =>
      (await depositPageAt(`/v1/deposit?${query}`, second)).docs.map(({ depositId }) => depositId);
    expect(await ids('sort=createdAt')).toEqual([fiat.depositId, crypto.depositId]);
    expect(await ids('sort=-createdAt')).toEqual([crypto.depositId, fiat.depositId]);
    expect(await ids('depositType=crypto&status=pending')).toEqual([crypto.depositId]);
    expect(await ids('status=completed')).toEqual([]);
    expect(await envelopeOf(getSigned('/v1/deposit?limit=101', { as: second }))).toMatchObject({ statusCode: 400 });
    for (const [name, depositId] of [
      [fiat.reference, fiat.depositId],
      [crypto.depositId, crypto.depositId],
    ]) {
      expect(await depositAt(`/v1/deposit/${name}`, second)).toMatchObject({ depositId });
    }
    const shown = await getSigned('/v1/deposit', { as: second });
    expect([shown.headers.get('Deprecation'), shown.headers.get('Sunset')]).toEqual([
      '@1767225600',
      'Tue, 13 Oct 2026 00:00:00 GMT',
    ]);
    await steer('clock', { setTo: '2026-10-13T00:00:00Z' });
    for (const path of ['/v1/deposit', `/v1/deposit/${fiat.depositId}`]) {
      expect(await envelopeOf(getSigned(path, { as: second }))).toMatchObject({
        statusCode: 410,
        message: expect.stringContaining('use GET /v1/deposit/fiat'),
      });
    }
  });

  it('a deposit whose time is over expires when the clock is moved there', async () => {
    const made = await depositIn(postFiatDeposit({}, second));
    await steer('clock', { advanceSeconds: 48 * 3600 });
    expect(await depositAt(fiatPath(made.depositId), second)).toMatchObject({ status: 'expired' });
    expect(await envelopeOf(cancel(made.depositId, second))).toMatchObject({
      statusCode: 400,
      message: 'a deposit that is expired cannot be cancelled',
    });
  });
});
