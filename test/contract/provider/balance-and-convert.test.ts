import { describe, expect, it } from 'vitest';
import { Money } from '../../../functions/domain/money/money.ts';
import { moneyIn } from '../../../functions/domain/money/money-by-currency.ts';
import { deployedClient, deployedProvider } from './deployed-service.ts';

const client = deployedClient();
const provider = deployedProvider();
const asked = { inputCurrency: 'usdt-tron', output: Money.of('1234.56', 'PHP') };

const quoted = async () => {
  const answer = await provider.quoteConversion(asked);
  if (answer.kind === 'refused') throw new Error(answer.message);
  return answer.quote;
};

describe('a conversion', () => {
  it('moves both balances by exactly the quoted amounts', async () => {
    const quote = await quoted();
    expect(quote.output.isAtLeast(asked.output)).toBe(true);
    const before = await provider.readBalances();
    expect(await provider.convert(quote)).toMatchObject({
      kind: 'converted',
      input: quote.input,
      output: quote.output,
      fee: quote.fee,
    });
    const after = await provider.readBalances();
    const gained = (currency: string): Money => moneyIn(after, currency).minus(moneyIn(before, currency));
    expect(gained('PHP')).toEqual(quote.output);
    expect(gained('usdt-tron').plus(quote.input).isZero()).toBe(true);
  });

  it('happens once per quote', async () => {
    const quote = await quoted();
    expect(await provider.convert(quote)).toMatchObject({ kind: 'converted' });
    expect(await provider.convert(quote)).toMatchObject({ kind: 'rejected' });
  });

  it('above the balance is refused with the documented error', async () => {
    const request = { input: { currency: 'usdt-tron', amount: '999999999999' }, output: { currency: 'PHP' } };
    expect(await client.convert.execute(request)).toEqual({
      kind: 'refused',
      statusCode: 400,
      message: 'insufficient input balance',
    });
  });

  it('of an unknown pair is refused when a quote is requested', async () => {
    expect(await provider.quoteConversion({ ...asked, output: Money.of('1234.56', 'XXX') })).toMatchObject({
      kind: 'refused',
    });
  });
});
