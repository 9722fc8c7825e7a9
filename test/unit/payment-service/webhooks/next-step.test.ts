import { describe, expect, it } from 'vitest';
import { paymentServiceSettings } from '../../../../functions/payment-service/settings.ts';
import type { Delivery } from '../../../../functions/payment-service/webhooks/deliver.ts';
import { nextStep } from '../../../../functions/payment-service/webhooks/next-step.ts';

const waits = paymentServiceSettings.parse({}).webhooks.waitsSeconds;
const refused: Delivery = { kind: 'refused', cause: 'status 500' };
const never = () => 0;

describe('the schedule', () => {
  it('waits longer and longer, for little more than a day, and then gives up', () => {
    const steps = Array.from({ length: 9 }, (_, index) => nextStep(refused, index + 1, waits, never));
    expect(steps).toEqual([
      ...[5, 60, 300, 1800, 7200, 18_000, 36_000, 36_000].map((seconds) => ({ outcome: 'refused', seconds })),
      { outcome: 'given_up' },
    ]);
    const hours = waits.reduce((sum, one) => sum + one, 0) / 3600;
    expect(hours).toBeGreaterThan(24);
    expect(hours).toBeLessThan(30);
  });

  it('spreads webhooks that failed together, by up to a tenth', () => {
    const afterFour = (chance: number) => nextStep(refused, 4, waits, () => chance);
    expect(afterFour(0.5)).toEqual({ outcome: 'refused', seconds: 1890 });
    expect(afterFour(0.999_999)).toEqual({ outcome: 'refused', seconds: 1980 });
  });

  it('never waits longer than SQS can hide a message', () => {
    expect(nextStep(refused, 1, [43_000], () => 1)).toEqual({ outcome: 'refused', seconds: 43_000 });
  });

  it('gives up after the last attempt', () => {
    expect(nextStep(refused, 10, waits, never)).toEqual({ outcome: 'given_up' });
  });
});

describe('a receiver that asks for a delay', () => {
  it.each([
    ['lengthens a shorter wait', 1, 90, 90],
    ['does not shorten a longer one', 3, 90, 300],
    ['cannot ask for more than the longest wait', 1, 900_000, 36_000],
  ])('%s', (_, attempt, retryAfterSeconds, seconds) => {
    expect(nextStep({ ...refused, retryAfterSeconds }, attempt, waits, never)).toEqual({ outcome: 'refused', seconds });
  });
});

it.each<[Delivery, string]>([
  [{ kind: 'delivered', status: 200 }, 'delivered'],
  [{ kind: 'gone', cause: 'status 410' }, 'given_up'],
])('%j is the last attempt', (delivery, outcome) => {
  expect(nextStep(delivery, 1, waits, never)).toEqual({ outcome });
});

describe('waits that are refused as settings', () => {
  it.each([
    ['none', [], 'Too small'],
    ['a shorter one after a longer one', [60, 5], 'no wait is shorter than the one before'],
    ['longer than SQS can hide a message', [43_001], 'Too big'],
    ['more in total than the queue’s retention', Array.from({ length: 21 }, () => 43_000), 'Too big'],
    ['half seconds', [1.5], 'expected int'],
  ])('%s', (_, waitsSeconds, problem) => {
    const parsed = paymentServiceSettings.safeParse({ webhooks: { waitsSeconds } });
    expect(parsed.error?.message).toContain(problem);
  });
});
