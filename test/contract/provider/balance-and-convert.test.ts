import { Big } from 'big.js';
import { describe, expect, it } from 'vitest';
import { deployedClient, deployedProvider } from './deployed-service.ts';

const client = deployedClient();
const provider = deployedProvider();
const asked = { inputCurrency: 'usdt-tron', outputCurrency: 'PHP', outputAmount: '1234.56' };

const quoted = async () => {
  const answer = await provider.quoteConversion(asked);
  if (answer.kind === 'refused') throw new Error(answer.message);
  return answer.quote;
};

describe('a conversion', () => {
  it('moves both balances by exactly what the quote said', async () => {
    const quote = await quoted();
    expect(new Big(quote.outputAmount).gte(asked.outputAmount)).toBe(true);
    const before = await provider.readBalances();
    expect(await provider.convert(quote)).toMatchObject({
      kind: 'converted',
      inputAmount: quote.inputAmount,
      outputAmount: quote.outputAmount,
      fee: quote.fee,
    });
    const after = await provider.readBalances();
    const gained = (currency: string): string =>
      new Big(after.get(currency) ?? 0).minus(before.get(currency) ?? 0).toFixed();
    expect(gained('PHP')).toBe(quote.outputAmount);
    expect(gained('usdt-tron')).toBe(`-${quote.inputAmount}`);
  });

  it('happens once a quote', async () => {
    const quote = await quoted();
    expect(await provider.convert(quote)).toMatchObject({ kind: 'converted' });
    expect(await provider.convert(quote)).toMatchObject({ kind: 'rejected' });
  });

  it('of more than there is is refused in the words of the document', async () => {
    const request = { input: { currency: 'usdt-tron', amount: '999999999999' }, output: { currency: 'PHP' } };
    expect(await client.convert.execute(request)).toEqual({
      kind: 'refused',
      statusCode: 400,
      message: 'insufficient input balance',
    });
  });

  it('of a pair that does not exist is refused when asked for a quote', async () => {
    expect(await provider.quoteConversion({ ...asked, outputCurrency: 'XXX' })).toMatchObject({ kind: 'refused' });
  });
});
