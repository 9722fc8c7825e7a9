import { describe, expect, it } from 'vitest';
import type { Call } from '../../../../functions/domain/batch/chunk.ts';
import { decideNextCall, hashDestination } from '../../../../functions/domain/batch/chunk.ts';
import { exampleChunk } from '../../../support/scenes/example-batch.ts';
import { payout } from '../../payouts/example.ts';

const wallet = (walletAddress: string): string => hashDestination({ kind: 'wallet', walletAddress });

describe('the hash of a destination', () => {
  it('does not depend on an EVM address’s checksum', () => {
    const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
    expect(wallet(address)).toBe(wallet(address.toLowerCase()));
    expect(wallet(address)).not.toBe(wallet(address.replace('5a', '5b')));
  });

  it.each(['TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', 'FVen3X669xLzsi6N2V91DoiyzHzg1uAgqiT8jZ9nS96Z'])(
    'distinguishes addresses whose letter case matters: %s',
    (address) => {
      expect(wallet(address)).not.toBe(wallet(address.toLowerCase()));
    },
  );

  it('of a bank depends only on its code and account number', () => {
    const bank = { kind: 'bank', bankCode: 'bca', accountNumber: '007', bankName: 'BCA', accountName: 'A' } as const;
    expect(hashDestination(bank)).toBe(hashDestination({ ...bank, bankName: 'Bank', accountName: 'B' }));
    expect(hashDestination(bank)).not.toBe(hashDestination({ ...bank, accountNumber: '7' }));
  });

  it('distinguishes the provider’s recipients', () => {
    const [one, other] = ['rec_1', 'rec_2'].map((recipientId) => hashDestination({ kind: 'recipientId', recipientId }));
    expect(one).not.toBe(other);
  });
});

it('a row of a refused call goes out only with rows of that call', () => {
  const call: Call = {
    ...{ batchId: 'b-1', chunk: 1, k: 1, rows: [1, 2, 3, 4], payloadHash: 'p', claimId: 'i', claimedAt: 't' },
    outcome: { kind: 'rejected', message: 'm' },
  };
  const payouts = [
    { ...payout, row: 1, status: 'ready', call: 1 } as const,
    { ...payout, row: 5, status: 'ready' } as const,
  ];
  const next = decideNextCall({ record: exampleChunk('b-1'), payouts, calls: [call] }, 98);
  expect(next).toEqual({ k: 2, rows: [1] });
});
