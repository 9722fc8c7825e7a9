import { describe, expect, it } from 'vitest';
import { deployedClient } from './deployed-service.ts';

const client = deployedClient();

describe('a checkout', () => {
  it('has an address, and no deposit until a method is picked', async () => {
    const created = await client.checkout.create({ inputCurrency: 'IDR', outputAmount: '150000' });
    expect(created).toMatchObject({ kind: 'succeeded', statusCode: 200 });
    const { id, url } = created.kind === 'succeeded' ? created.data : { id: '', url: '' };
    expect(url).toMatch(new RegExp(`^https://.+/checkout/${id}$`));
    expect(await client.deposits.findFiat(id)).toMatchObject({ statusCode: 404, message: 'Deposit not found' });
    expect(await client.sandbox.updateDeposit(id, { status: 'completed' })).toMatchObject({
      kind: 'refused',
      statusCode: 400,
      message: 'Deposit not found',
    });
  });

  it.each([
    ['both amounts', { inputAmount: '160000', outputAmount: '150000' }],
    ['tokens as output', { outputAmount: '12.5', outputCurrency: 'usdt-tron' }],
  ])('is made with %s', async (_, change) => {
    expect(await client.checkout.create({ inputCurrency: 'IDR', ...change })).toMatchObject({ kind: 'succeeded' });
  });

  it('is refused outside the limits of every method', async () => {
    expect(await client.checkout.create({ inputCurrency: 'IDR', inputAmount: '1' })).toMatchObject({
      kind: 'refused',
      statusCode: 400,
    });
  });
});
