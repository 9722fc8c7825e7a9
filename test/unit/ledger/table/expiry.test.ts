import { describe, expect, it } from 'vitest';
import { InvariantBroken } from '../../../../functions/domain/errors.ts';
import { expiresAfter } from '../../../../functions/ledger/table/expiry.ts';

describe('an item expires', () => {
  it('whole days after a time, in epoch seconds rounded down', () => {
    expect(expiresAfter('1970-01-02T00:00:00.999Z', 2)).toBe(3 * 86_400);
  });

  it('never at a time that cannot be read', () => {
    expect(() => expiresAfter('yesterday', 2)).toThrow(InvariantBroken);
  });
});
