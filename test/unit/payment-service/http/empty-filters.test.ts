import { expect, it } from 'vitest';
import { everyEndpoint } from '../../../../functions/payment-service/endpoints/by-function.ts';
import { route } from '../../../../functions/payment-service/http/router.ts';
import { MemoryTable } from '../../../support/memory-table/memory-table.ts';
import { targets } from '../../../support/payment-service/hostile.ts';
import { newContext, newGate } from '../../../support/payment-service/new-context.ts';

const now = () => new Date('2026-02-01T00:00:00Z');

/** The answer, and the endpoint's requests to the table. */
const ask = async (path: string, query: readonly (readonly [string, string])[]) => {
  const asked: unknown[] = [];
  const table = new MemoryTable();
  const { client } = table;
  const watched = Object.create(client);
  watched.send = async (command: Parameters<typeof client.send>[0]) => {
    asked.push(command.input);
    return await client.send(command);
  };
  const context = newContext({ now, realNow: now, table: { ...table, client: watched } });
  const request = { requestId: 'r', method: 'GET', path, query, headers: new Map(), body: Buffer.alloc(0) };
  return { answer: await route(newGate(context), Object.values(everyEndpoint()))(request), asked };
};

const queried = targets.filter(
  ({ method, query, path }) => method === 'GET' && query.length > 0 && !path.includes(':'),
);

it.each(queried.map((target) => [target.path, target.query] as const))(
  'GET %s ignores parameters without a value: %s',
  async (path, names) => {
    const without = await ask(path, []);
    expect(
      await ask(
        path,
        names.map((name) => [name, ''] as const),
      ),
    ).toEqual(without);
    expect(
      await ask(
        path,
        names.flatMap((name) => [[name, 'x'] as const, [name, ''] as const]),
      ),
    ).toEqual(without);
  },
);
