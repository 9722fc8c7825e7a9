import { expect, it } from 'vitest';
import type { Service } from '../../../../functions/payment-service/api/service.ts';
import { unsteered } from '../../../../functions/payment-service/domain/sandbox/sandbox.ts';
import { everyEndpoint } from '../../../../functions/payment-service/endpoints/every.ts';
import { route } from '../../../../functions/payment-service/http/router.ts';
import { paymentServiceSettings } from '../../../../functions/payment-service/settings.ts';
import { targets } from '../../../support/payment-service/hostile.ts';
import { newAccount } from '../../../support/payment-service/new-account.ts';

const settings = paymentServiceSettings.parse({});
const now = () => new Date('2026-02-01T00:00:00Z');

/** The answer, and what the endpoint asked of the service. */
const ask = async (path: string, query: readonly (readonly [string, string])[]) => {
  const asked: unknown[] = [];
  const listed = async (list: unknown) => {
    asked.push(list);
    return { docs: [], total: 0 };
  };
  const ports: Partial<Service> = {
    settings,
    sandbox: unsteered,
    now,
    listDeposits: listed,
    listDisbursements: listed,
  };
  const answer = await route(
    {
      authenticate: async () => ({ account: newAccount(), sandbox: unsteered }),
      maximumBodyBytes: 100,
      now,
      portsFor: () => ports as Service,
    },
    everyEndpoint,
  )({ requestId: 'r', method: 'GET', path, query, headers: new Map(), body: Buffer.alloc(0) });
  return { answer, asked };
};

const queried = targets.filter(
  ({ method, query, path }) => method === 'GET' && query.length > 0 && !path.includes(':'),
);

it.each(queried.map((target) => [target.path, target.query] as const))(
  'GET %s takes what is given without a value as not given: %s',
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
