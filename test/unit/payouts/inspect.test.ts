import { describe, expect, it } from 'vitest';
import { ProviderMisconfigured, ProviderRefused, ProviderUnavailable } from '../../../functions/domain/errors.ts';
import type { Payout, Rail } from '../../../functions/domain/payout/payout.ts';
import type { LookupProvider } from '../../../functions/payouts/inspect.ts';
import { inspect } from '../../../functions/payouts/inspect.ts';
import type { Disbursement, ProviderTraits, RailTraits } from '../../../functions/ports/provider.ts';
import { otherRecord } from '../../../functions/ports/provider.ts';
import { documentedTraits } from '../../../functions/provider/settings.ts';
import { idr } from '../../support/money.ts';
import { disbursement, payout, withoutId } from './example.ts';

const onChain = (of: Payout): Payout => ({ ...of, rail: 'crypto' });
const transfer: Disbursement = { ...disbursement, rail: 'crypto' };

/** A provider with these disbursements. A lookup shows the first match, like the real one. */
const holding = (held: readonly Disbursement[], traits: ProviderTraits = documentedTraits()) => {
  const asked: string[] = [];
  const provider: LookupProvider = {
    traits,
    lookUp: async (rail, text) => {
      asked.push(`look up ${text}`);
      const found = held.find((one) => one.rail === rail && [one.disbursementId, one.reference].includes(text));
      return found === undefined ? { kind: 'absent' } : { kind: 'found', disbursement: found };
    },
    listByReference: async (_rail, reference) => {
      asked.push(`search ${reference}`);
      return held.filter((one) => one.reference === reference);
    },
  };
  return { provider, asked };
};

describe('looking up one payout', () => {
  const second = { ...transfer, disbursementId: 'd-8' };
  it.each([
    ['a known bank transfer', payout, [disbursement], {}, ['look up d-7'], 'fits'],
    ['one in doubt', withoutId('unknown'), [disbursement], {}, ['look up r-7'], 'fits'],
    ['one that is not there', withoutId('unknown'), [], {}, ['look up r-7'], 'absent'],
    [
      'a known transfer on a chain that is under way',
      onChain(payout),
      [{ ...transfer, status: 'pending' }],
      {},
      ['look up d-7'],
      'fits',
    ],
    [
      'a known transfer on a chain that has ended',
      onChain(payout),
      [transfer],
      {},
      ['look up d-7', 'search r-7'],
      'fits',
    ],
    ['one on a chain in doubt', onChain(withoutId('unknown')), [transfer], {}, ['look up r-7', 'search r-7'], 'fits'],
    ['one on a chain that is not there', onChain(withoutId('unknown')), [], {}, ['look up r-7'], 'absent'],
    [
      'a reference used twice',
      onChain(withoutId('unknown')),
      [transfer, second],
      {},
      ['look up r-7', 'search r-7'],
      'several',
    ],
    [
      'a known transfer on a chain, thoroughly',
      onChain(payout),
      [transfer, second],
      { isThorough: true },
      ['look up d-7', 'look up r-7', 'search r-7'],
      'fits',
    ],
    [
      'a bank transfer that a person names',
      withoutId('quarantined'),
      [{ ...disbursement, disbursementId: 'd-9' }],
      { named: 'd-9' },
      ['look up d-9'],
      'fits',
    ],
    [
      'a named one that does not exist, although another has the reference',
      withoutId('quarantined'),
      [disbursement],
      { named: 'd-9', isThorough: true },
      ['look up d-9', 'look up r-7'],
      'absent',
    ],
  ] as const)('%s', async (_name, of, held, question, expected, kind) => {
    const { provider, asked } = holding(held);
    expect(await inspect(provider, of, question)).toMatchObject({ kind });
    expect(asked).toEqual(expected);
  });

  it.each([
    ['when it is asked thoroughly', { ...transfer, status: 'pending' }, { isThorough: true }],
    ['when its own has ended', transfer, {}],
  ] as const)('shows a second one in addition to its own %s', async (_name, own, question) => {
    const { provider } = holding([own, second]);
    expect(await inspect(provider, onChain(payout), question)).toMatchObject({
      kind: 'fits',
      disbursement: own,
      others: [second],
    });
  });
});

describe('a second disbursement under a reference', () => {
  const uniqueFor = (rail: Rail, referenceUniqueHours: RailTraits['referenceUniqueHours']): ProviderTraits => {
    const { rails, ...traits } = documentedTraits();
    return { ...traits, rails: { ...rails, [rail]: { ...rails[rail], referenceUniqueHours } } };
  };

  it.each([
    ['crypto', 0, ['look up r-7', 'search r-7']],
    ['crypto', 24, ['look up r-7', 'search r-7']],
    ['crypto', 'forever', ['look up r-7']],
    ['fiat', 0, ['look up r-7', 'search r-7']],
    ['fiat', 24, ['look up r-7', 'search r-7']],
    ['fiat', 'forever', ['look up r-7']],
  ] as const)('is searched for unless a %s reference is unique forever: %s', async (rail, hours, expected) => {
    const { provider, asked } = holding([{ ...disbursement, rail }], uniqueFor(rail, hours));
    expect(await inspect(provider, { ...withoutId('unknown'), rail })).toMatchObject({ kind: 'fits' });
    expect(asked).toEqual(expected);
  });

  it('is not searched for where the rail has no search', async () => {
    const { provider } = holding([disbursement], uniqueFor('fiat', 0));
    const searchless = { ...provider, listByReference: async () => undefined };
    expect(await inspect(searchless, withoutId('unknown'))).toMatchObject({ kind: 'fits', others: [] });
  });
});

describe("a lookup by reference that shows someone else's payout", () => {
  const others: Disbursement = { ...transfer, disbursementId: 'd-0', reference: 'R-7' };
  const second = { ...transfer, disbursementId: 'd-8' };
  const hiding = (held: readonly Disbursement[]): ReturnType<typeof holding> => {
    const { provider, asked } = holding(held);
    return { provider: { ...provider, lookUp: async () => ({ kind: 'unknown', cause: otherRecord }) }, asked };
  };

  it.each([
    ['finds the payout by a search', [others, transfer], { kind: 'fits', disbursement: transfer, others: [] }],
    ['finds both that share the reference', [others, transfer, second], { kind: 'several' }],
    ['finds one that differs', [{ ...transfer, amount: idr('1') }], { kind: 'differs', code: 'amount_differs' }],
    ['proves no absence', [others], { kind: 'unknown', cause: otherRecord, isRefused: false }],
  ])('%s', async (_name, held, expected) => {
    const { provider, asked } = hiding(held);
    expect(await inspect(provider, onChain(withoutId('unknown')))).toMatchObject(expected);
    expect(asked).toContain('search r-7');
  });

  it('stays unknown where the rail has no search', async () => {
    const { provider } = hiding([transfer]);
    const searchless = { ...provider, listByReference: async () => undefined };
    expect(await inspect(searchless, onChain(withoutId('unknown')))).toMatchObject({ kind: 'unknown' });
  });

  it.each([new ProviderUnavailable('down'), new ProviderRefused('404')])(
    'keeps the lookup’s answer when the search fails: %s',
    async (error) => {
      const { provider } = hiding([transfer]);
      const failing = { ...provider, listByReference: () => Promise.reject(error) };
      expect(await inspect(failing, onChain(withoutId('unknown')))).toEqual({
        ...{ kind: 'unknown', cause: otherRecord, isRefused: false },
      });
    },
  );

  it('stays unknown when the payout was looked up by its id', async () => {
    const { provider, asked } = hiding([transfer]);
    expect(await inspect(provider, onChain(payout))).toMatchObject({ kind: 'unknown' });
    expect(asked).toEqual([]);
  });
});

describe('a failing lookup', () => {
  const failing = (error: Error): LookupProvider => ({
    traits: documentedTraits(),
    lookUp: async () => ({ kind: 'found', disbursement: transfer }),
    listByReference: async () => {
      throw error;
    },
  });
  const lost = onChain(withoutId('unknown'));

  it.each([
    [new ProviderUnavailable('down'), { kind: 'unknown', cause: 'ProviderUnavailable', isRefused: false }],
    [
      new ProviderUnavailable('GET /v1/x: status_503', { cause: 'status_503' }),
      { kind: 'unknown', cause: 'status_503', isRefused: false },
    ],
    [
      new ProviderRefused('GET /v1/x: status_401', { cause: 'status_401' }),
      { kind: 'unknown', cause: 'status_401', isRefused: true },
    ],
    [
      new ProviderMisconfigured('GET /v1/x: unreadable_body', { cause: 'unreadable_body' }),
      { kind: 'unknown', cause: 'unreadable_body', isRefused: false, isMisconfigured: true },
    ],
  ])('is an answer: %s', async (error, expected) => {
    expect(await inspect(failing(error), lost)).toEqual(expected);
  });

  it('is a lookup without an answer, without further requests', async () => {
    const provider = {
      ...failing(new Error('not asked')),
      lookUp: async () => ({ kind: 'unknown', cause: 'timeout' }) as const,
    };
    expect(await inspect(provider, lost)).toEqual({ kind: 'unknown', cause: 'timeout', isRefused: false });
  });

  it('is a bug when the error is not the provider’s', async () => {
    await expect(inspect(failing(new TypeError('a bug')), lost)).rejects.toThrow('a bug');
  });
});
