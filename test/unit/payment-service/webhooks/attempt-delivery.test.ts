import { describe, expect, it } from 'vitest';
import { attemptDelivery } from '../../../../functions/payment-service/webhooks/attempt-delivery.ts';
import { announcedDeposit, answering, attemptPorts } from '../../../support/payment-service/webhook-attempts.ts';

const body = announcedDeposit();
const webhook = (attempt: number) => ({ body, attempt, receiptHandle: 'handle' });

const logged = {
  clientId: 'merchant',
  webhookId: 'msg_dep_0123456789abcdef01234567_2',
  type: 'deposit.updated',
  about: 'dep_0123456789abcdef01234567',
  at: '2027-01-01T00:00:00.000Z',
  host: 'merchant.example:8443',
  durationMs: 0,
};

describe('an attempt that', () => {
  it('is taken ends the matter', async () => {
    const { ports, told } = attemptPorts(answering(200));
    expect(await attemptDelivery(ports, webhook(1))).toBe('done');
    expect(told).toMatchObject({ hidden: [], setAside: [] });
    expect(told.kept).toEqual([{ ...logged, attempt: 1, outcome: 'delivered', status: 200 }]);
  });

  it('is refused comes again after its wait', async () => {
    const { ports, told } = attemptPorts(answering(500));
    expect(await attemptDelivery(ports, webhook(2))).toBe('again');
    expect(told).toMatchObject({ hidden: [60], setAside: [] });
    expect(told.kept).toEqual([
      {
        ...logged,
        attempt: 2,
        outcome: 'refused',
        cause: 'status 500',
        nextAttemptAt: '2027-01-01T00:01:00.000Z',
      },
    ]);
  });

  it.each([
    ['is refused after all waits', 4, answering(500), 'status 500'],
    ['is answered with "gone", the first already,', 1, answering(410), 'status 410'],
  ])('%s is set aside', async (_, attempt, answer, cause) => {
    const { ports, told } = attemptPorts(answer);
    expect(await attemptDelivery(ports, webhook(attempt))).toBe('done');
    expect(told).toMatchObject({ hidden: [], setAside: [body] });
    expect(told.kept).toEqual([{ ...logged, attempt, outcome: 'given_up', cause }]);
  });
});

it('what cannot be read is set aside at once, and nobody is asked', async () => {
  const { ports, told } = attemptPorts(answering(200));
  expect(await attemptDelivery(ports, { ...webhook(1), body: '{"unreadable":"…"}' })).toBe('done');
  expect(told).toMatchObject({ posted: [], setAside: ['{"unreadable":"…"}'], kept: [] });
});

it('without an address nothing is posted', async () => {
  const { ports, told } = attemptPorts(answering(200), { addressOf: async () => undefined });
  expect(await attemptDelivery(ports, webhook(1))).toBe('done');
  expect(told).toMatchObject({ posted: [], setAside: [], kept: [] });
});

it('what was delivered is not posted again because the log could not be written', async () => {
  const { ports, told } = attemptPorts(answering(200), {
    keepInLog: () => Promise.reject(new Error('the table is away')),
  });
  expect(await attemptDelivery(ports, webhook(1))).toBe('done');
  expect(told.logged.at(-1)).toMatch(/^DELIVERY_NOT_LOGGED /);
});

it('neither log holds what was posted, where on the host, or a secret', async () => {
  for (const answer of [answering(200), answering(500)]) {
    const { ports, told } = attemptPorts(answer);
    await attemptDelivery(ports, webhook(1));
    expect(JSON.stringify([told.kept, told.logged])).not.toMatch(/inputAmount|secret|hook\/|QUJD/);
  }
});
