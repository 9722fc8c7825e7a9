import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvariantBroken } from '../../../../functions/domain/errors.ts';
import { createdAtAndId, dayOf, keys } from '../../../../functions/ledger/table/keys.ts';

describe('keys of the ledger', () => {
  it.each([
    [keys.batch('b'), 'BATCH#b', 'BATCH'],
    [keys.chunk('b', 12), 'BATCH#b', 'CHUNK#0000012'],
    [keys.conversion('b', 2), 'BATCH#b', 'CONVERSION#0000002'],
    [keys.line('b', '2026-03-14T09:26:53.589Z', 'id'), 'BATCH#b', 'EVENT#2026-03-14T09:26:53.589Z#id'],
    [keys.contradiction('b', '2026-03-14T09:26:53.589Z', 'id'), 'BATCH#b', 'CONTRADICTION#2026-03-14T09:26:53.589Z#id'],
    [keys.progress('b'), 'PROGRESS#b', 'PROGRESS'],
    [keys.currency('IDR'), 'FUNDS#CURRENCIES', 'CURRENCY#IDR'],
    [keys.payout('b', 12, 1_000_000), 'CHUNK#b#12', 'PAYOUT#1000000'],
    [keys.call('b', 12, 3), 'CHUNK#b#12', 'CALL#0000003'],
    [keys.reference('salary-1'), 'REF#salary-1', 'REF'],
    [keys.reference('INV-7'), 'REF#inv-7', 'REF'],
    [keys.fundsVersion('IDR'), 'FUNDS#IDR', 'RESERVED'],
    [keys.reservation('IDR', 'b'), 'FUNDS#IDR', 'BATCH#b'],
    [keys.pairLock({ inputCurrency: 'usdt-tron', outputCurrency: 'IDR' }), 'FUNDS#LOCKS', 'LOCK#usdt-tron~IDR'],
    [keys.webhook('abc'), 'WEBHOOK#abc', 'WEBHOOK'],
    [keys.webhookMessage('abc', 'def'), 'WEBHOOK#abc', 'MESSAGE#def'],
    [keys.lookup('salary-1'), 'LOOKUP#salary-1', 'LOOKUP'],
    [keys.idempotency('arn', 'key'), 'IDEMPOTENCY#arn#key', 'IDEMPOTENCY'],
    [
      keys.idempotency('arn:aws:sts::1:assumed-role/Payroll/morning', 'key'),
      'IDEMPOTENCY#arn:aws:sts::1:assumed-role/Payroll#key',
      'IDEMPOTENCY',
    ],
    [keys.file({ key: 'a.csv', versionId: 'v' }), 'FILE#a.csv#v', 'FILE'],
    [keys.content('h'), 'CONTENT#h', 'CONTENT'],
    [keys.debts({ bits: 5, bucket: 31 }, 'b', 'run', 0), 'DEBTS#5#31', 'BATCH#b#run#0'],
  ])('%j', (key, pk, sk) => {
    expect(key).toEqual({ pk, sk });
  });

  it('sorts rows as numbers', () => {
    const row = fc.integer({ min: 0, max: 1_000_000 });
    fc.assert(fc.property(row, row, (a, b) => keys.payout('b', 1, a).sk < keys.payout('b', 1, b).sk === a < b));
    expect(keys.payout('b', 1, 9).sk < keys.payout('b', 1, 10).sk).toBe(true);
  });

  it.each([-1, 1.5, 10_000_000, Number.NaN])('has no key for row %s', (row) => {
    expect(() => keys.payout('b', 1, row)).toThrow(InvariantBroken);
  });

  it('puts a batch into the index of its UTC day', () => {
    expect(dayOf('2026-03-14T23:59:59.999Z')).toBe('2026-03-14');
    expect(createdAtAndId('2026-03-14T23:59:59.999Z', 'b')).toBe('2026-03-14T23:59:59.999Z#b');
  });
});
