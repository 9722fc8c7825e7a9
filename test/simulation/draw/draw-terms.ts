import type { Chance } from '../../support/chance.ts';
import type { ProviderTerms } from '../provider/service.ts';
import { mostShownMs } from '../provider/service.ts';

const million = 1_000_000n;
/** Close to one, to keep amounts small. */
export const rates: ReadonlyMap<string, bigint> = new Map([
  ['usdt-tron~IDR', 1_250_000n],
  ['usdc-polygon~IDR', 1_200_000n],
]);
export const fees: Readonly<Record<string, bigint>> = {
  IDR: 3n * million,
  'usdt-tron': million,
  'usdc-polygon': 2n * million,
};

/** Slow payments (hours or days) cost a run many sweeps. So few runs have them, and half of those with many chunks. */
const drawFortunes = (chance: Chance, isLong: boolean): ProviderTerms['fortunes'] => {
  if (!chance.happens(isLong ? 0.5 : 0.03)) return { odd: chance.pick([0, 0.05, 0.2]), slow: 0, held: 0 };
  return { odd: 0, slow: chance.pick([0.1, 0.3]), held: chance.pick([0, 0, 0.1]) };
};

/** As documented in most runs, otherwise with one weakness or more. */
const drawLists = (chance: Chance): ProviderTerms['lists'] => {
  const isHostile = chance.happens(0.3);
  const has = (probability: number): boolean => isHostile && chance.happens(probability);
  return {
    ignoresSort: has(0.4),
    ignoresStatus: has(0.4),
    freezesUpdatedAt: has(0.4),
    behindMs: has(0.4) ? chance.pick([20_000, 180_000]) : 0,
  };
};

const drawRate = (chance: Chance): ProviderTerms['rate'] => {
  if (!chance.happens(0.15)) return undefined;
  return {
    postsPerSecond: chance.pick([1, 2, 5]),
    readsPerSecond: chance.pick([2, 5, 10]),
    retryAfterSeconds: chance.pick([1, 1, 5, 30]),
    shownIn: chance.pick(['http', 'body', 'both', 'gateway']),
  };
};

/** Words for a used reference that do not mention the reference. */
export const unclearWords = 'The request cannot be processed';

/** Answers for a used reference. The document specifies no words. */
const takenWords = [
  unclearWords,
  'The reference must be unique',
  'Duplicate transaction',
  'Request already processed',
  'DisbursementReferenceAlreadyExistsException',
  `disburseData: ${'note should be shorter; '.repeat(20)}reference exists`,
] as const;

/** The provider's behavior in one run. */
export const drawTerms = (chance: Chance, isLong: boolean): ProviderTerms => {
  const refusesFiatReference = chance.happens(0.5);
  const hidden = chance.fork('hidden');
  const promisesUnique = refusesFiatReference || hidden.happens(0.7);
  return {
    refusesFiatReference,
    foldsCase: chance.fork('letter case').happens(0.3),
    fees,
    feeFactor: 1n,
    returned: { probability: 0, mostMs: 0 },
    charged: chance.fork('charged').pick([100n, 100n, 50n, 0n, 130n]),
    balanceDecimals: chance.fork('told').pick([6, 6, 2]),
    rates,
    drifts: [],
    lag: { probability: chance.pick([0, 0.1, 0.5, 0.9]), mostMs: chance.pick([5_000, mostShownMs, mostShownMs]) },
    // Nothing promises that a crypto reference is used once, so nothing depends on how soon one is shown.
    cryptoHidden: hidden.pick([0, 0, 0.2, 0.9]),
    // If the provider refuses used references, only that refusal prevents a second payment. If it promises no uniqueness,
    // nothing is submitted again. In both cases a lookup may lag for hours.
    fiatHidden: refusesFiatReference || !promisesUnique ? hidden.pick([0, 0, 0.2, 0.9]) : 0,
    promisesUnique,
    uniqueHours: refusesFiatReference ? chance.fork('unique').pick(['forever', 'forever', 0.5, 2]) : 'forever',
    takenWords: chance.fork('taken').pick(takenWords),
    cryptoInPart: chance.fork('in part').pick([0, 0, 0.5]),
    cryptoNameless: chance.fork('nameless').pick([0, 0, 0.2]),
    fortunes: drawFortunes(chance, isLong),
    lists: drawLists(chance),
    rate: drawRate(chance),
  };
};
