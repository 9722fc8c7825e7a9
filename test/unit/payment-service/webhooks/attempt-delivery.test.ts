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

describe('an attempt', () => {
  it('that succeeds is the last', async () => {
    const { ports, recorded } = attemptPorts(answering(200));
    expect(await attemptDelivery(ports, webhook(1))).toBe('done');
    expect(recorded).toMatchObject({ hidden: [], setAside: [] });
    expect(recorded.kept).toEqual([{ ...logged, attempt: 1, outcome: 'delivered', status: 200 }]);
  });

  it('that is refused is repeated after its wait', async () => {
    const { ports, recorded } = attemptPorts(answering(500));
    expect(await attemptDelivery(ports, webhook(2))).toBe('again');
    expect(recorded).toMatchObject({ hidden: [60], setAside: [] });
    expect(recorded.kept).toEqual([
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
    ['that is refused after all waits', 4, answering(500), 'status 500'],
    ['that is answered with "gone", even the first,', 1, answering(410), 'status 410'],
  ])('%s moves the webhook to the dead-letter queue', async (_, attempt, answer, cause) => {
    const { ports, recorded } = attemptPorts(answer);
    expect(await attemptDelivery(ports, webhook(attempt))).toBe('done');
    expect(recorded).toMatchObject({ hidden: [], setAside: [body] });
    expect(recorded.kept).toEqual([{ ...logged, attempt, outcome: 'given_up', cause }]);
  });
});

it('an attempt at an unreadable webhook moves it to the dead-letter queue and posts nothing', async () => {
  const { ports, recorded } = attemptPorts(answering(200));
  expect(await attemptDelivery(ports, { ...webhook(1), body: '{"unreadable":"…"}' })).toBe('done');
  expect(recorded).toMatchObject({ posted: [], setAside: ['{"unreadable":"…"}'], kept: [] });
});

it('an attempt without an address posts nothing', async () => {
  const { ports, recorded } = attemptPorts(answering(200), { addressOf: async () => undefined });
  expect(await attemptDelivery(ports, webhook(1))).toBe('done');
  expect(recorded).toMatchObject({ posted: [], setAside: [], kept: [] });
});

it('an attempt that succeeds is not repeated because the log could not be written', async () => {
  const { ports, recorded } = attemptPorts(answering(200), {
    keepInLog: () => Promise.reject(new Error('the table is away')),
  });
  expect(await attemptDelivery(ports, webhook(1))).toBe('done');
  expect(recorded.logged.at(-1)).toMatch(/^DELIVERY_NOT_LOGGED /);
});

it('an attempt leaves neither body, path nor secret in either log', async () => {
  for (const answer of [answering(200), answering(500)]) {
    const { ports, recorded } = attemptPorts(answer);
    await attemptDelivery(ports, webhook(1));
    expect(JSON.stringify([recorded.kept, recorded.logged])).not.toMatch(/inputAmount|secret|hook\/|QUJD/);
  }
});
