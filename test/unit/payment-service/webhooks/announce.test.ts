import { describe, expect, it } from 'vitest';
import { nothingStrikes } from '../../../../functions/payment-service/domain/sandbox/faults.ts';
import type { AnnouncePorts } from '../../../../functions/payment-service/webhooks/announce.ts';
import { announce } from '../../../../functions/payment-service/webhooks/announce.ts';
import { announcedDeposit } from '../../../support/payment-service/webhook-attempts.ts';

const ports = (change: Partial<AnnouncePorts> = {}) => {
  const queued: string[] = [];
  const setAside: string[] = [];
  const asked: string[] = [];
  const made: AnnouncePorts = {
    addressOf: async (accountId) => {
      asked.push(accountId);
      return accountId === 'listens' ? 'https://merchant.example/hook' : undefined;
    },
    enqueue: async ({ accountId, webhookId }) => {
      queued.push(`${accountId} ${webhookId}`);
    },
    strikeFor: async () => nothingStrikes,
    setAside: async (text) => {
      setAside.push(text);
    },
    ...change,
  };
  return { made, queued, setAside, asked };
};

const ofListening = announcedDeposit({ accountId: 'listens' });
const ofDeaf = announcedDeposit({ accountId: 'deaf' });

describe('announced changes', () => {
  it('are queued for accounts with an address, which is looked up once', async () => {
    const { made, queued, asked } = ports();
    await announce(made, [ofListening, ofDeaf, ofListening]);
    expect(queued).toEqual(Array(2).fill('listens msg_dep_0123456789abcdef01234567_2'));
    expect(asked).toEqual(['listens', 'deaf']);
  });

  it.each(['', '{', '{"accountId":"listens"}'])(
    'with the text %j go to the dead-letter queue, and the others continue',
    async (poison) => {
      const { made, queued, setAside } = ports();
      await announce(made, [ofListening, poison, ofListening]);
      expect(queued).toHaveLength(2);
      expect(setAside).toEqual([poison]);
    },
  );

  it('are repeated when the queue failed for one', async () => {
    const { made } = ports({ enqueue: () => Promise.reject(new Error('the queue is away')) });
    await expect(announce(made, [ofListening])).rejects.toThrow('the queue is away');
  });
});
