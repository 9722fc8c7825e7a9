import * as z from 'zod';
import type { Transport } from '../../../functions/provider/transport/transport.ts';
import { get } from '../../../functions/provider/transport/transport.ts';
import { informative, integer, text } from '../../../functions/provider/wire-values.ts';

const flag = informative(z.boolean());

const currencyItem = z.object({
  _id: text(),
  id: text(),
  value: text(),
  currency: z.string(),
  countryCode: text(),
  country: text(),
  name: text(),
  symbol: text(),
  logo: text(),
  requireBankName: flag,
  requireIfsc: flag,
  requireIban: flag,
  requireAchOrWire: flag,
  requireAccountNumber: flag,
});

const cryptoItem = z.object({
  _id: text(),
  /** `<token>-<network>`. */
  id: z.string(),
  symbol: text(),
  name: text(),
  label: text(),
  address: text(),
  chainId: informative(integer()),
  is_native: flag,
  logo: text(),
  currencies: informative(z.array(z.string())),
  decimal: informative(integer()),
  priceId: text(),
});

const cryptosQuery = z.strictObject({
  useSmartContract: z.boolean().optional(),
  blockchainType: z.string().optional(),
});

/** The service's lists of currencies and tokens. Deprecated. They need no credentials. */
export const referenceEndpoints = (transport: Transport) => ({
  currencies: () => transport.send(get('/v1/reference/currencies', 'none'), z.array(currencyItem)),
  cryptos: (query: z.input<typeof cryptosQuery>) =>
    transport.send(get('/v1/reference/cryptos', 'none', { query: cryptosQuery.parse(query) }), z.array(cryptoItem)),
});
