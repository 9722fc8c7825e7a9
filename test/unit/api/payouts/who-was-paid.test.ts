import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { getProofLink } from '../../../../functions/api/payouts/get-proof-link.ts';
import { getRecipient } from '../../../../functions/api/payouts/get-recipient.ts';
import { searchPayouts } from '../../../../functions/api/payouts/search-payouts.ts';
import { proofLink } from '../../../../functions/api/schemas/file-links.ts';
import { searchPayouts as searchOperation } from '../../../../functions/api/schemas/operations/payout-operations.ts';
import { payoutPage } from '../../../../functions/api/schemas/payout.ts';
import { recipientView } from '../../../../functions/api/schemas/recipient.ts';
import type { PlannedPayout } from '../../../../functions/domain/batch/chunk-file.ts';
import { FileAltered, FileGone, InvariantBroken } from '../../../../functions/domain/errors.ts';
import { hashDestination } from '../../../../functions/domain/payout/destination.ts';
import { batch, fakeFiles, fakeLedger, payout, plan } from '../fixtures.ts';

const recipient = {
  kind: 'bank',
  bankCode: 'bca',
  bankName: 'BCA',
  accountNumber: '0012345678',
  accountName: 'Siti Rahma',
} as const;
/** Every field, so that the answers show or omit each one on purpose. */
const planned = {
  row: 1,
  reference: 'r-1',
  amount: '250.10',
  recipient,
  name: 'Siti',
  email: 'siti@example.com',
  note: 'January',
  extras: { 'x-department': 'Accounts' },
} satisfies Required<PlannedPayout>;
const proof = { key: 'batches/b-1/proofs/0000001-s.pdf', sha256: 's', bytes: 3 };
const held = payout({ destinationHash: hashDestination(recipient), reference: 'r:1', proof });
const pathOf = (reference: string) => ({ path: { reference } });

describe('a link to a proof', () => {
  const links: string[] = [];
  const linkOf = (of = held, reference = 'r:1', getBatch = async () => batch()) =>
    getProofLink(
      {
        ledger: fakeLedger({ getBatch, getPayoutByReference: async (one) => (one === of.reference ? of : undefined) }),
        files: fakeFiles({
          linkTo: async (key, seconds, name) => {
            links.push(name);
            return `https://files.test/${key}?for=${seconds}`;
          },
        }),
        settings: { fileLinkSeconds: 300 },
        clock: () => Date.parse('2026-01-06T00:00:00Z'),
      },
      pathOf(reference),
    );

  it('has address, expiry and hash', async () => {
    const outcome = await linkOf();
    expect(outcome.kind === 'answer' && proofLink.parse(outcome.body)).toEqual({
      url: `https://files.test/${proof.key}?for=300`,
      expiresAt: '2026-01-06T00:05:00.000Z',
      sha256: 's',
      bytes: 3,
    });
    expect(links).toEqual(['1-r_1.pdf']);
  });

  it('is not returned without a proof or payout', async () => {
    const { proof: _, ...without } = held;
    expect(await linkOf(without)).toMatchObject({ code: 'proof_not_ready' });
    expect(await linkOf(held, 'unknown')).toMatchObject({ code: 'payout_not_found' });
  });

  it.each([
    ['of a wallet', 'crypto', {}, 'The provider gives proofs of bank transfers only.'],
    ['of a provider that gives none', 'fiat', { hasNoProofs: true }, 'The provider gives no transfer proofs.'],
    ['of a bank transfer', 'fiat', {}, undefined],
  ] as const)('shows whether a proof will never exist: %s', async (_, rail, lacking, detail) => {
    const { proof: _proof, ...without } = held;
    const found = await linkOf({ ...without, rail }, 'r:1', async () => batch({ plan: { ...plan, ...lacking } }));
    expect(found.kind === 'problem' && found.about).toEqual({
      ...{ batchId: held.batchId, payoutStatus: held.status },
      ...(detail === undefined ? {} : { detail }),
    });
  });

  it.each([
    ['completed', 'A person vouched that it was paid. No disbursement is known, so there is no proof.'],
    ['pending', undefined],
  ] as const)('says that a person vouched for a bank transfer without a disbursement: %s', async (status, detail) => {
    const { proof: _proof, disbursementId: _id, ...without } = held;
    const found = await linkOf({ ...without, status });
    expect(found.kind === 'problem' && found.about.detail).toBe(detail);
  });
});

describe('a payout’s recipient', () => {
  const logged: unknown[] = [];
  const ask = (getChunk: () => Promise<PlannedPayout>, of = held, reference = 'r:1') =>
    getRecipient(
      {
        ledger: fakeLedger({
          getPayoutByReference: async (one) => (one === of.reference ? of : undefined),
          getBatch: async () => batch({ plan }),
        }),
        files: fakeFiles({
          getChunk: async () => ({
            batchId: 'b-1',
            chunk: 1,
            rail: 'fiat',
            currency: 'IDR',
            payouts: [await getChunk()],
          }),
        }),
        log: { info: (code, fields) => logged.push({ code, ...fields }) },
      },
      { ...pathOf(reference), caller: 'arn:operator' },
    );

  it('is read from the chunk file, without the whole account, and the caller is logged', async () => {
    const outcome = await ask(async () => planned);
    expect(outcome.kind === 'answer' && recipientView.parse(outcome.body)).toEqual({
      batchId: 'b-1',
      row: 1,
      reference: 'r:1',
      name: 'Siti Rahma',
      bankName: 'BCA',
      bankCode: 'bca',
      account: '***5678',
      extras: { 'x-department': 'Accounts' },
    });
    expect(logged).toEqual([{ code: 'recipient.shown', batchId: 'b-1', row: 1, caller: 'arn:operator' }]);
  });

  it('is read although an older version has registered the payout', async () => {
    const walletAddress = 'UQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPuwA';
    const older = { ...held, destinationHash: hash('sha256', `wallet\n${walletAddress}`) };
    const toWallet = { ...planned, recipient: { kind: 'wallet', walletAddress } } as const;
    expect(await ask(async () => toWallet, older)).toMatchObject({ kind: 'answer', body: { account: '***PuwA' } });
  });

  it('is not read from a file that was altered, was deleted or differs from the ledger', async () => {
    expect(await ask(() => Promise.reject(new FileGone('chunks/1.json')))).toMatchObject({ code: 'file_gone' });
    expect(await ask(() => Promise.reject(new FileAltered('chunks/1.json')))).toMatchObject({ code: 'file_altered' });
    await expect(ask(async () => ({ ...planned, row: 2 }))).rejects.toThrow(InvariantBroken);
    const other = { ...planned, recipient: { ...recipient, accountNumber: '999' } };
    await expect(ask(async () => other)).rejects.toThrow(InvariantBroken);
    expect(await ask(async () => planned, held, 'unknown')).toMatchObject({ code: 'payout_not_found' });
  });
});

const clock = () => Date.parse('2026-03-14T23:59:59Z');

describe('a search for a recipient', () => {
  const walletAddress = '0x52908400098527886E0F7030069857D2E4169EE7';
  const bankHash = hashDestination(recipient);

  it.each<[string, object, string]>([
    ['a bank account', { bankCode: ' bca', accountNumber: '0012 345 678' }, bankHash],
    [
      'a wallet, whatever its letter case',
      { walletAddress: walletAddress.toLowerCase() },
      hashDestination({ kind: 'wallet', walletAddress }),
    ],
    ['a recipient id', { recipientId: 'rec_1' }, hashDestination({ kind: 'recipientId', recipientId: 'rec_1' })],
    ['a hash', { destinationHash: bankHash }, bankHash],
  ])('searches by the hash of %s, and shows no hash', async (_, searched, destinationHash) => {
    const asked: unknown[] = [];
    const ledger = fakeLedger({
      findByDestination: async (query) => {
        asked.push(query);
        return { items: [held], cursor: 'next' };
      },
    });
    const body = searchOperation.body.parse({ recipient: searched, currency: 'IDR', amount: '250.1' });
    const outcome = await searchPayouts({ ledger, clock }, { body });
    expect(asked).toEqual([{ destinationHash, currency: 'IDR', amount: '250.1', limit: 50 }]);
    expect(outcome.kind === 'answer' && payoutPage.parse(outcome.body)).toMatchObject({
      payouts: [{ reference: 'r:1' }],
      cursor: 'next',
    });
    expect(JSON.stringify(outcome)).not.toContain(destinationHash);
  });

  it('searches a TON wallet also by the hash that an older version made', async () => {
    const [shown, other] = [
      'EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHF',
      'UQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPuwA',
    ];
    const [destinationHash, formerHash] = [shown, other].map((text) => hash('sha256', `wallet\n${text}`));
    const asked: unknown[] = [];
    const ledger = fakeLedger({
      findByDestination: async (query) => {
        asked.push(query);
        return { items: [] };
      },
    });
    const body = searchOperation.body.parse({ recipient: { walletAddress: shown } });
    await searchPayouts({ ledger, clock }, { body });
    expect(asked).toEqual([{ destinationHash, formerHash, limit: 50 }]);
  });

  it.each([
    ['half a bank account', { recipient: { accountNumber: '001' } }],
    ['two recipients', { recipient: { recipientId: 'r', walletAddress: 'w' } }],
    ['something that is no hash', { recipient: { destinationHash: 'x' } }],
  ])('is refused for %s', (_, body) => {
    expect(searchOperation.body.safeParse(body).success).toBe(false);
  });
});

it.each<[string, object]>([
  ['a recipient', { recipient: { recipientId: 'rec_1' } }],
  ['an amount', { amount: '250.1' }],
])('a search for %s in a batch that does not exist says so, and not that nobody was paid', async (_, wanted) => {
  const ledger = fakeLedger({ getBatch: async () => undefined });
  const body = searchOperation.body.parse({ ...wanted, batchId: 'b-9' });
  expect(await searchPayouts({ ledger, clock }, { body })).toMatchObject({
    kind: 'problem',
    code: 'batch_not_found',
    about: { batchId: 'b-9' },
  });
});

describe('a search without a recipient', () => {
  const parse = (body: object) => searchOperation.body.safeParse(body);

  it.each<[string, object]>([
    ['an amount', { amount: '250.1', currency: 'IDR' }],
    ['the beginning of a reference in a batch', { referencePrefix: 'r:', batchId: 'b-1', cursor: 'c-1' }],
  ])('asks for %s, from today back', async (_, body) => {
    const asked: unknown[] = [];
    const ledger = fakeLedger({
      getBatch: async () => batch(),
      findInBatches: async (query) => {
        asked.push(query);
        return { items: [held], cursor: 'next' };
      },
    });
    const outcome = await searchPayouts({ ledger, clock }, { body: searchOperation.body.parse(body) });
    expect(asked).toEqual([{ day: '2026-03-14', limit: 50, ...body }]);
    expect(outcome.kind === 'answer' && payoutPage.parse(outcome.body)).toMatchObject({
      payouts: [{ reference: 'r:1' }],
      cursor: 'next',
    });
  });

  it.each([
    ['idr', 'IDR'],
    [' Idr ', 'IDR'],
    ['USDT-Tron', 'usdt-tron'],
  ])('takes the currency %s as %s', (currency, code) => {
    expect(parse({ amount: '250.1', currency }).data?.currency).toBe(code);
  });

  it.each<[string, object]>([
    ['nothing', {}],
    ['a currency alone', { currency: 'IDR' }],
    ['a batch alone, which has a list', { batchId: 'b-1' }],
  ])('is refused for %s, and names the missing field', (_, body) => {
    expect(parse(body).error?.issues).toMatchObject([
      { message: 'There is nothing to search by: name a recipient, an amount or a referencePrefix.' },
    ]);
  });

  it.each<[string, object]>([
    ['an amount with a comma', { amount: '250,000' }],
    ['a negative amount', { amount: '-250' }],
    ['an amount without end', { amount: '1'.repeat(41) }],
    ['the beginning of no reference', { referencePrefix: '%' }],
    ['an empty beginning', { referencePrefix: '' }],
  ])('is refused for %s', (_, body) => {
    expect(parse(body).success).toBe(false);
  });
});
