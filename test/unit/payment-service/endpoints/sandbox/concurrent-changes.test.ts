import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { moveSandboxClock } from '../../../../../functions/payment-service/endpoints/sandbox/move-sandbox-clock.ts';
import { setSandboxRate } from '../../../../../functions/payment-service/endpoints/sandbox/set-sandbox-rate.ts';
import { route } from '../../../../../functions/payment-service/http/router.ts';
import { readSandboxState, startOver } from '../../../../../functions/payment-service/store/sandbox/sandbox-state.ts';
import { MemoryTable } from '../../../../support/memory-table/memory-table.ts';
import { withLateAttempt } from '../../../../support/payment-service/late-attempt.ts';
import { newContext, newGate, tableWith } from '../../../../support/payment-service/new-context.ts';

const memory = new MemoryTable();
const fiats = ['THB', 'PHP', 'IDR', 'VND', 'SGD', 'INR'];

/** A sandbox whose requests to the table take a turn each, so that concurrent changes read before any of them writes. */
const control = (clientId: string, table = tableWith(memory, () => nextTurn())) => {
  const answer = route(newGate(newContext({ table, accountId: clientId })), [moveSandboxClock, setSandboxRate]);
  return (path: string, body: object) =>
    answer({
      requestId: 'r',
      method: 'POST',
      path: `/sandbox/${path}`,
      query: [],
      headers: new Map(),
      body: Buffer.from(JSON.stringify(body)),
    });
};

it('concurrent changes of rates and clock all count', async () => {
  const post = control('m-concurrent');
  const answers = await Promise.all([
    ...fiats.map((fiat, index) => post('rates', { pair: `usdt-tron/${fiat}`, rate: index + 1 })),
    ...[60, 60, 60].map((advanceSeconds) => post('clock', { advanceSeconds })),
  ]);
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200));
  const { rates, clockOffset } = await readSandboxState(memory, 'm-concurrent');
  expect(rates).toEqual(Object.fromEntries(fiats.map((fiat, index) => [`usdt-tron/${fiat}`, `${index + 1}`])));
  expect(clockOffset).toBe(180_000);
});

it('a change after a reset is based on the reset sandbox', async () => {
  const post = control('m-reset');
  await post('rates', { pair: 'usdt-tron/THB', rate: 10 });
  await post('clock', { advanceSeconds: 60 });
  await startOver(memory, 'm-reset');
  await post('rates', { pair: 'usdt-tron/PHP', rate: 20 });
  expect(await readSandboxState(memory, 'm-reset')).toMatchObject({
    generation: 1,
    clockOffset: 0,
    rates: { 'usdt-tron/PHP': '20' },
  });
});

it('a clock that was moved by an attempt given up before is moved once', async () => {
  const post = control('m-late', withLateAttempt(memory, 'MERCHANT#'));
  expect(await post('clock', { advanceSeconds: 60 })).toMatchObject({ body: { data: { clockOffsetSeconds: 60 } } });
  expect((await readSandboxState(memory, 'm-late')).clockOffset).toBe(60_000);
});

it('a clock that is moved too far stays where it was', async () => {
  const post = control('m-far');
  await post('clock', { advanceSeconds: 300_000_000 });
  expect(await post('clock', { advanceSeconds: 300_000_000 })).toMatchObject({ statusCode: 400 });
  expect((await readSandboxState(memory, 'm-far')).clockOffset).toBe(300_000_000_000);
});
