import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Recipient } from '../../../functions/domain/batch/chunk-file.ts';
import { checkProvider } from '../../../functions/provider/check/check-provider.ts';
import { documentedTraits } from '../../../functions/provider/settings.ts';
import { describeFindings } from '../../../infra/local/describe-findings.ts';
import { tronAddress } from '../../support/wallet-addresses.ts';
import { connection, deployedProvider, merchantCredentials } from './deployed-service.ts';

const reference = (): string => `check-${randomUUID()}`;
const bank = { kind: 'recipientId', recipientId: 'rcp_check' } as const;
const wallet = { kind: 'wallet', walletAddress: tronAddress('check') } as const;

/** Two of each, so that each list has an order. */
const payTwo = async (rail: 'fiat' | 'crypto', currency: string, amount: string, recipient: Recipient) => {
  const provider = deployedProvider();
  for (const row of [1, 2]) {
    const body = provider.composeSubmission({ rail, currency }, [{ row, reference: reference(), amount, recipient }]);
    expect(await provider.submit(rail, body)).toMatchObject({ kind: 'answered' });
  }
};

describe('check-provider of the deployed sandbox', () => {
  it('reports "good" on every line, and no setting to change', async () => {
    await payTwo('fiat', 'IDR', '20000', bank);
    await payTwo('crypto', 'usdt-tron', '2', wallet);
    const findings = await checkProvider({
      ...connection(merchantCredentials),
      unusedReference: reference(),
      conversionSources: ['usdt-tron'],
    });
    expect(findings.map(({ verdict, what, found }) => [verdict, what, found])).toEqual([
      ['good', 'a wrong signature', expect.stringMatching(/^401 /)],
      ['good', 'balance', expect.stringMatching(/^decimals: .*IDR \d/)],
      ['good', 'fiat payment methods', expect.stringMatching(/^\d+ of .*IDR/)],
      ['good', 'crypto payment methods', expect.stringMatching(/^\d+ of .*usdt-tron/)],
      ['good', 'fiat list: page size', expect.stringMatching(/^100/)],
      ['good', 'fiat list: records', 'as documented'],
      ['good', 'fiat list: order', 'as asked'],
      ['good', 'fiat list: filter by status', 'pending, completed, failed'],
      ['good', 'fiat lookup: letter case', 'distinguishes references'],
      ['good', 'crypto list: page size', expect.stringMatching(/^100/)],
      ['good', 'crypto list: records', 'as documented'],
      ['good', 'crypto list: order', 'as asked'],
      [
        'good',
        'crypto list: filter by status',
        'pending, pending_retry, processed, need_check, completed, failed, canceled',
      ],
      ['good', 'crypto lookup: letter case', 'distinguishes references'],
      ['good', 'fiat lookup of an unknown reference', '404 "Disbursement not found"'],
      ['good', 'crypto lookup of an unknown reference', '404 "Crypto disbursement not found"'],
      ['good', 'proof of an unknown disbursement', '404 "Disbursement not found"'],
      ['good', 'crypto fee estimate', '1 for 1.5 usdt-tron'],
      ['good', 'conversion quote', 'usdt-tron to IDR: the full amount arrives'],
      ['good', 'clock', expect.any(String)],
    ]);
    expect(describeFindings(findings, documentedTraits())).not.toContain('What follows');
  });
});
