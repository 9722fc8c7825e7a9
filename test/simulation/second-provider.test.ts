import { describe, expect, it } from 'vitest';
import { openSecond, routes } from '../second-provider/open.ts';
import { began, fileOf, payABatch } from '../support/scenes/pay-a-batch.ts';

const rows = 60;
const fair = { rows: 9, faults: 0, lag: 0, seed: 'two' };
const worlds = [0, 0.1, 0.3].flatMap((faults) => [0, 3000].map((lag) => ({ rows, faults, lag, seed: 'two' })));

/** The only rows left to a person: wallets whose unanswered call made nothing. Nothing promises that a reference is used once. */
const absent = /^row-\d+ quarantined absent_but_not_repeatable: nothing$/;

describe.concurrent('a provider with another API', () => {
  it.each(worlds)(
    'pays one by one, nothing twice and nothing lost, with faults $faults and lookups $lag ms behind',
    async (world) => {
      const paid = await payABatch(world, fileOf(rows), openSecond(world));
      const { status, twice, lost, resumes, leftToPerson, struck } = paid;
      expect({ status, twice, lost, resumes }).toEqual({
        status: 'partially_completed',
        ...{ twice: [], lost: [], resumes: [] },
      });
      expect(leftToPerson.filter((row) => !(world.faults > 0 && absent.test(row)))).toEqual([]);
      expect(struck.size > 0).toBe(world.faults > 0);
    },
  );

  it('has webhooks applied that use field names of their own', async () => {
    const deaf = async (clock: () => number) => {
      const { webhooks: _webhooks, ...service } = await openSecond(fair)(clock);
      return service;
    };
    const seconds = async (open: typeof deaf): Promise<readonly number[]> => {
      // One sweep in ten minutes, so anything learned earlier came from webhooks.
      const rare = { pollFirstSeconds: 600, pollMaxSeconds: 600 };
      const { results } = await payABatch(fair, fileOf(fair.rows), open, rare);
      expect(results.map(({ status }) => status)).toEqual(Array(fair.rows).fill('completed'));
      return results.map(({ updatedAt = '' }) => (Date.parse(updatedAt) - began) / 1000);
    };
    expect(Math.max(...(await seconds(openSecond(fair))))).toBeLessThan(150);
    expect(Math.min(...(await seconds(deaf)))).toBeGreaterThanOrEqual(500);
  });

  it('gives no proofs, which the batch notes, and none counts as missing', async () => {
    const { view } = await payABatch(fair, fileOf(fair.rows), openSecond(fair));
    expect(view.proofs).toEqual({ archived: 0, expected: 0, note: 'The provider gives no transfer proofs.' });
    expect(view.attention).toEqual([]);
  });

  it('pays no wallets without an estimate of their fees, and the batch names that', async () => {
    const unpriced = routes.map(({ price, ...route }) => (route.unit === 'IDR' && price ? { ...route, price } : route));
    const { view, made } = await payABatch(fair, fileOf(fair.rows), openSecond(fair, { routes: unpriced }));
    expect(view).toMatchObject({ status: 'paused', reason: { code: 'no_fee_estimate' } });
    expect(view.reason?.message).toContain('gives no estimate of crypto fees');
    expect(made).toBe(0);
  });

  it('with a single rail refuses a file with rows of the other', async () => {
    const banksAlone = { routes: routes.filter(({ unit }) => unit === 'IDR') };
    const refused = await payABatch(fair, fileOf(fair.rows), openSecond(fair, banksAlone));
    expect(refused).toMatchObject({ status: 'validation_failed', made: 0 });
    expect(refused.view.reason?.message).toContain('3 rows are invalid');
    const paid = await payABatch(fair, fileOf(fair.rows, true), openSecond(fair, banksAlone));
    expect(paid).toMatchObject({ twice: [], lost: [], made: fair.rows });
  });
});
