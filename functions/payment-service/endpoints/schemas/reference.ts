import * as z from 'zod';

export const currencyReference = z
  .strictObject({
    _id: z.string(),
    id: z.string(),
    value: z.string().meta({ description: 'The name of the country.' }),
    currency: z.string(),
    countryCode: z.string(),
    country: z.string(),
    name: z.string(),
    symbol: z.string(),
    logo: z.url(),
    requireBankName: z.boolean(),
    requireIfsc: z.boolean(),
    requireIban: z.boolean(),
    requireAchOrWire: z.boolean(),
    requireAccountNumber: z.boolean(),
  })
  .meta({ id: 'CurrencyReference', description: 'A fiat currency.' });

export const cryptoReference = z
  .strictObject({
    _id: z.string(),
    id: z.string().meta({ description: '`<token>-<network>`' }),
    symbol: z.string(),
    name: z.string(),
    label: z.string(),
    address: z.string().meta({ description: 'Of the contract; native coins have the zero address.' }),
    chainId: z.int(),
    is_native: z.boolean(),
    logo: z.url(),
    currencies: z.array(z.string()).meta({ description: 'Fiat codes it can be converted into.' }),
    decimal: z.int(),
    priceId: z.string(),
  })
  .meta({ id: 'CryptoReference', description: 'A token on its network.' });
