import { expect, it } from 'vitest';
import { times } from './example.ts';
import { useLedger } from './table.ts';

const { ledger } = useLedger();

const at = (second: number): string => `2026-11-21T08:00:0${second}.000Z`;

it('keeps the latest time at which the provider matched, by rail and settings', async () => {
  const of = { rail: 'fiat', settingsHash: crypto.randomUUID() } as const;
  expect(await ledger.readProviderFit(of)).toBeUndefined();
  await times(5, (index) => ledger.recordProviderFit(of, at(index)));
  await ledger.recordProviderFit(of, at(2));
  expect(await ledger.readProviderFit(of)).toBe(at(4));
  expect(await ledger.readProviderFit({ ...of, rail: 'crypto' })).toBeUndefined();
  expect(await ledger.readProviderFit({ ...of, settingsHash: 'other' })).toBeUndefined();
});
