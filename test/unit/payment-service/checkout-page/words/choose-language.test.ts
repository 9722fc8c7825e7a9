import { expect, it } from 'vitest';
import { chooseLanguage } from '../../../../../functions/payment-service/checkout-page/words/choose-language.ts';

it.each<[header: string | undefined, language: string]>([
  [undefined, 'en'],
  ['', 'en'],
  ['id', 'id'],
  ['ID-id', 'id'],
  ['in-ID', 'id'],
  ['id-Latn-ID', 'id'],
  ['en-US,en;q=0.9,id;q=0.8', 'en'],
  ['id-ID,id;q=0.9,en-US;q=0.8,en;q=0.7', 'id'],
  ['en;q=0.8, id;q=0.9', 'id'],
  ['en ; q=0.5 ,\tid ; q=0.501', 'id'],
  ['id, en', 'id'],
  ['en, id', 'en'],
  ['fr, id;q=0.5', 'id'],
  ['fr-CA, ms;q=0.5', 'en'],
  ['*', 'en'],
  ['fr, *;q=0.5', 'en'],
  ['en;q=0.1, *', 'id'],
  ['en;q=0, *;q=0.1', 'id'],
  ['id;q=0, *', 'en'],
  ['en;q=0, id;q=0', 'en'],
  ['id;q=0.0, en;q=0.001', 'en'],
  ['id;q=2, en', 'en'],
  ['id;q=high, en;q=0.1', 'en'],
  ['id;level=1, en;q=0.1', 'en'],
  ['idn, indonesia, id_ID', 'en'],
  [',,;q=1,id,', 'id'],
  [`${'x,'.repeat(5000)}id`, 'id'],
])('%s is answered in %s', (header, language) => {
  expect(chooseLanguage(header)).toBe(language);
});
