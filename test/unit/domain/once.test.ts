import { describe, expect, it } from 'vitest';
import { once } from '../../../functions/domain/once.ts';

describe('a value made once', () => {
  it('is made at the first request, and kept', () => {
    let made = 0;
    const list = once(() => {
      made += 1;
      return [made];
    });
    expect(made).toBe(0);
    expect(list()).toBe(list());
    expect(made).toBe(1);
  });

  it('is kept when it is undefined', () => {
    let made = 0;
    const nothing = once(() => {
      made += 1;
      return undefined;
    });
    expect([nothing(), nothing(), made]).toEqual([undefined, undefined, 1]);
  });

  it('is made again after a failure', () => {
    let tries = 0;
    const late = once(() => {
      tries += 1;
      if (tries === 1) throw new Error('not yet');
      return tries;
    });
    expect(late).toThrow('not yet');
    expect([late(), late()]).toEqual([2, 2]);
  });
});
