import { describe, expect, it } from 'vitest';
import { drawConsole } from '../../../functions/console/draw-console.ts';
import { hashDestination } from '../../../functions/domain/payout/destination.ts';
import type { Payout } from '../../../functions/domain/payout/payout.ts';
import type { Page } from '../../../functions/ports/ledger/ledger.ts';
import type { PayoutLedger } from '../../../functions/ports/ledger/payout-ledger.ts';
import { payout } from '../api/fixtures.ts';
import { context, dependencies, drawn } from './draw-scene.ts';
import { consoleArn } from './example-views.ts';

describe('the console finds a recipient’s payouts', () => {
  const account = '0012345678';
  const names = { bankName: '', accountName: '' };
  const bank = hashDestination({ kind: 'bank', bankCode: 'bca', accountNumber: account, ...names });
  const wallet = hashDestination({ kind: 'wallet', walletAddress: account });
  const recipientId = hashDestination({ kind: 'recipientId', recipientId: account });

  /** A ledger with payouts to one destination, in pages by cursor. */
  const paying = (destinationHash: string, pages: Readonly<Record<string, Page<Payout>>>) => {
    const asked: (readonly [string, string | undefined])[] = [];
    const findByDestination: PayoutLedger['findByDestination'] = async (query) => {
      asked.push([query.destinationHash, query.cursor]);
      return query.destinationHash === destinationHash ? (pages[query.cursor ?? ''] ?? { items: [] }) : { items: [] };
    };
    const getPayoutByReference = async (reference: string) => payout({ reference, destinationHash });
    const findReferences = async () => new Map();
    return { asked, answers: { findByDestination, getPayoutByReference, findReferences } };
  };
  const paid = payout({ status: 'completed', destination: { bankCode: 'bca', account: '***5678' } });
  const failed = payout({ reference: 'r-2', status: 'failed' });
  const onePage = { '': { items: [paid, failed] } };
  const form = (fields: object) => ({ view: 'recipient', ...context({ ...fields }) });

  it.each([
    ['an account', { bankCode: ' bca', account: '0012 345678 ' }, bank, [bank]],
    ['a wallet', { account }, wallet, [wallet]],
    ['an id of the provider', { account }, recipientId, [wallet, recipientId]],
  ])('by %s in the fields', async (_, fields, destinationHash, hashes) => {
    const { asked, answers } = paying(destinationHash, onePage);
    const text = await drawn(answers, form(fields));
    expect(asked).toEqual(hashes.map((hash) => [hash, undefined]));
    expect(text).toContain('1 of 2 paid · 1 not paid');
    expect(text).toContain('bca ***5678');
    expect(text).toContain('r-2');
    expect(text).toContain('b-1');
  });

  it('without the account or its hash in the markup, even with more pages', async () => {
    const { answers } = paying(bank, { '': { items: [paid], cursor: 'c-2' } });
    const text = await drawn(answers, form({ bankCode: 'bca', account }));
    expect(text).toContain(
      '{&quot;view&quot;:&quot;recipient&quot;,&quot;sameAs&quot;:&quot;r-1&quot;,&quot;cursor&quot;:&quot;c-2&quot;}',
    );
    expect(text).not.toContain(account);
    expect(text).not.toContain(bank);
  });

  it('page by page, for the recipient of a shown payout', async () => {
    const { asked, answers } = paying(bank, { 'c-2': { items: [failed] } });
    const text = await drawn(answers, {
      view: 'recipient',
      sameAs: 'r-1',
      cursor: 'c-2',
      ...context({ account: '9' }),
    });
    expect(asked).toEqual([[bank, 'c-2']]);
    expect(text).toContain('0 of 1 paid · 1 not paid');
  });

  it('whatever the letter case of the bank code', async () => {
    const { answers } = paying(bank, { '': { items: [paid] } });
    expect(await drawn(answers, form({ bankCode: 'bCa', account }))).toContain('1 of 1 paid');
  });

  it('past pages that are empty', async () => {
    const { asked, answers } = paying(bank, { '': { items: [], cursor: 'c-2' }, 'c-2': { items: [paid] } });
    expect(await drawn(answers, form({ bankCode: 'bca', account }))).toContain('1 of 1 paid');
    expect(asked).toHaveLength(2);
  });

  it('or reports that the payout to begin from is missing', async () => {
    const answers = { getPayoutByReference: async () => undefined };
    expect(await drawn(answers, { view: 'recipient', sameAs: 'r-9' })).toContain(
      'There is no payout with this reference',
    );
  });

  it('or reports no result, without repeating the query', async () => {
    const text = await drawn(paying('', {}).answers, form({ bankCode: 'bca', account }));
    expect(text).toContain('This does not mean that the person was not paid.');
    expect(text).not.toContain(account);
  });

  it.each([
    ['nothing', {}],
    ['a bank alone', { bankCode: 'bca' }],
    ['an excessively long text', { bankCode: 'bca', account: '1'.repeat(101) }],
    ['no text', { account: 7 }],
  ])('or asks for the fields when they contain %s', async (_, fields) => {
    expect(await drawn({}, form(fields))).toContain('Fill in the bank code and the account number');
  });

  it('and logs none of it on failure', async () => {
    const findByDestination = () => Promise.reject(new RangeError(account));
    const { given, logged } = dependencies({ findByDestination });
    const text = await drawConsole(given, form({ bankCode: 'bca', account }), consoleArn);
    expect(text).not.toContain(account);
    expect(logged).toEqual(['console.failed RangeError']);
  });
});
