import type { OrchestratorSettings } from '../../../functions/domain/settings.ts';
import { orchestratorSettings } from '../../../functions/domain/settings.ts';
import type { RequestKind } from '../../../functions/ports/pace.ts';
import type { ProviderTraits } from '../../../functions/provider/settings.ts';
import { providerTraits } from '../../../functions/provider/settings.ts';
import type { Chance } from '../../support/chance.ts';
import { minute } from '../../support/durations.ts';
import { tronAddress } from '../../support/wallet-addresses.ts';
import { rateScale } from '../provider/exchange.ts';
import { amountText } from '../provider/money.ts';
import type { ProviderTerms } from '../provider/service.ts';
import { longestHiddenHours, refusedDestination, refusedWallet } from '../provider/service.ts';
import type { Storm } from '../world/storms.ts';
import { drawGate } from './draw-gate.ts';
import { drawTerms, fees, rates } from './draw-terms.ts';

/** One amount owed once to one recipient, for one reason. */
export interface Debt {
  readonly id: string;
  readonly owedTo: string;
  readonly currency: string;
  readonly amount: bigint;
}

/** A row of a payout file as its author meant it. */
export interface MeantRow {
  readonly row: number;
  /** Empty when the file has none. The product then derives one from batch and row. */
  readonly reference: string;
  readonly currency: string;
  readonly amount: bigint;
  readonly destination: Readonly<Record<string, string>>;
  /** The debt that the row pays. Undefined when the generator models no debts. */
  readonly debt?: Debt;
  /** The correct destination, when the row names one that cannot be paid. */
  readonly corrected?: Readonly<Record<string, string>>;
  /** True when the row breaks a rule of the payout file, so it is skipped. */
  readonly isFlawed?: boolean;
}

/** How a clerk corrects another batch's file to correct. */
export interface Correction {
  /** The corrected file, which may be a correction itself. */
  readonly key: string;
  /** How long the download waits before it is corrected and uploaded. */
  readonly waitsMs: number;
  /** Which of its rows are taken: by position, or only the bad ones. */
  readonly part: 'whole' | 'odd' | 'even' | 'bad';
  /** True when bad rows are corrected with another account of the recipient. */
  readonly isElsewhere: boolean;
  /** True when one bad row stays uncorrected. */
  readonly leavesOne: boolean;
  /** The file contains an unskipped row by mistake: instead of a skipped one, or in addition. */
  readonly slip?: 'instead' | 'besides';
}

export type OperatorAct = 'pause' | 'resume' | 'resume_twice' | 'cancel' | 'stop' | 'redrive';

/** One batch of a run: its file, and when people act on it. */
export interface MeantBatch {
  readonly key: string;
  readonly rows: readonly MeantRow[];
  readonly csv: string;
  readonly startsInMs: number;
  /** True when a person has to approve it. */
  readonly isToBeApproved: boolean;
  /** The batch begins this long after the first start request. */
  readonly restsMs?: number;
  /** This many of its first rows are paid before the others. */
  readonly canary?: number;
  /** The batch pauses when more than this percentage ended unpaid. */
  readonly pauseAbove?: number;
  /** True when two concurrent requests with one idempotency key start it. */
  readonly isStartedTwice: boolean;
  readonly acts: readonly { readonly afterMs: number; readonly act: OperatorAct }[];
  /** Another file that someone uploads under the same key after the batch is started, and how soon. */
  readonly overwritten: { readonly afterMs: number; readonly csv: string } | undefined;
  /** True when its content may be paid again. */
  readonly allowsSameFile?: boolean;
  /**
   * The batch uploads the retry.csv of another file's batch. It is downloaded as soon as it exists and waits for `waitsMs`.
   * It is uploaded corrected or unchanged. Its rows are not known in advance.
   */
  readonly retryOf?: { readonly key: string; readonly waitsMs: number; readonly isCorrected: boolean };
  /** The batch corrects another file's batch. Its rows are not known in advance. */
  readonly corrects?: Correction;
  /** True when one bad row refuses the whole file. */
  readonly rejectsBadRows?: boolean;
}

/** A span of the run, in milliseconds from its start. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

const drawSpan = (chance: Chance, probability: number): Span | undefined => {
  if (!chance.happens(probability)) return undefined;
  const fromMs = chance.between(0, 10 * minute);
  return { fromMs, toMs: fromMs + chance.between(0, 3 * 60 * minute) };
};

/** The content of one run. Small, because conflicts between two rows do not need a thousand of them. */
export interface Scenario {
  readonly batches: readonly MeantBatch[];
  readonly settings: OrchestratorSettings;
  readonly traits: ProviderTraits;
  readonly terms: ProviderTerms;
  /** Requests per second that the operator's settings allow, by kind. 0 sets no limit. */
  readonly limits: Readonly<Record<RequestKind, number>>;
  /** Chunks of a batch that are submitted concurrently. */
  readonly submitsAtOnce: number;
  readonly balances: ReadonlyMap<string, bigint>;
  /**
   * True when batches start together with money for any one of them, but not for all. Or all are short and may convert.
   */
  readonly isRush: boolean;
  /** Rows whose reference another system also uses, and when. */
  readonly outsiders: readonly { readonly row: MeantRow; readonly afterMs: number }[];
  /** When other systems of the merchant spend from the balance, and how much. */
  readonly spenders: readonly { readonly afterMs: number; readonly currency: string; readonly percent: bigint }[];
  /** When the provider refuses the credentials, in milliseconds from the start. */
  readonly credentialsRefused: Span | undefined;
  /** True when the watch runs every five minutes. Only some runs have it, because it makes many requests. */
  readonly isWatched: boolean;
  /** True when operators continue until everything that can be settled is settled. */
  readonly isSettled: boolean;
  /** True when batches are paused early and stay so for hours after faults end. */
  readonly isLeftPaused: boolean;
  /** When the provider refuses every payment with words that name no row. */
  readonly refusesAll: Span | undefined;
  /** True when ended batches are compared with the provider for days. The run lasts until the last comparison. */
  readonly isReconciled: boolean;
  /** The faults of its story. */
  readonly storm?: Omit<Storm, 'until'>;
  /** When a gateway before the provider answers 404 for the path of every payment. */
  readonly routeLost: Span | undefined;
}

/** Share of runs with one batch of many chunks, more than are submitted concurrently. */
const longRuns = 0.08;
/** Share of runs whose batches compete for money. */
const rushes = 0.08;
/** Share of runs whose batches are paused early and stay so. */
const leftPausedRuns = 0.12;
/** Share of runs that continue for days after their batches have ended. */
const reconciledRuns = 0.08;
/** The same for runs with many chunks. Only these read lists, because a few payouts are looked up one by one. */
const longReconciledRuns = 0.3;
/** Share of runs whose provider reports fees far from its estimate. */
const oddFeeRuns = 0.05;
/** Share of rows that are invalid, with amount zero, and skipped. */
const badRows = 0.05;
/** Share of rows that repeat the debt of an earlier row, in their own file or another batch's. */
const repeatedRows = 0.1;
/** Share of runs in which someone uploads a file again under another name and starts it. */
const copyRuns = 0.15;
/** Share of runs in which someone uploads a batch's retry file, in any state of the batch: early, late or twice. */
const retryRuns = 0.15;
/** Share of runs in which others spend from the balance. */
const spenderRuns = 0.15;
const million = 1_000_000n;

const drawRow = (chance: Chance, batch: number, row: number): MeantRow => {
  const currency = chance.happens(0.6) ? 'IDR' : 'usdt-tron';
  const isRefused = chance.happens(0.08);
  const account = `${isRefused ? refusedDestination : ''}${batch}00${row}`;
  const destination: Readonly<Record<string, string>> =
    currency === 'IDR'
      ? chance.happens(0.2)
        ? { recipientId: `rcp-${account}` }
        : { bankCode: chance.pick(['bca', 'bni']), accountNumber: account }
      : { walletAddress: isRefused ? refusedWallet : tronAddress(account) };
  const cents = BigInt(chance.int(100, 100_000));
  return { row, reference: `ref-${batch}-${row}`, currency, amount: cents * 10_000n, destination };
};

const csvOf = (rows: readonly MeantRow[]): string =>
  [
    'reference,amount,currency,bankCode,bankName,accountNumber,accountName,recipientId,walletAddress',
    ...rows.map(({ reference, amount, currency, destination }) => {
      const { bankCode = '', accountNumber = '', recipientId = '', walletAddress = '' } = destination;
      const [bankName, accountName] = bankCode === '' ? ['', ''] : ['Bank', 'A. Example'];
      return [
        reference,
        amountText(amount),
        currency,
        bankCode,
        bankName,
        accountNumber,
        accountName,
        recipientId,
        walletAddress,
      ].join(',');
    }),
  ].join('\n');

const drawActs = (chance: Chance): MeantBatch['acts'] => {
  if (chance.happens(0.5)) return [];
  const acts = ['pause', 'pause', 'resume', 'resume_twice', 'cancel', 'stop', 'redrive'] as const;
  return Array.from({ length: chance.int(1, 4) }, () => {
    const act = chance.pick(acts);
    // A cancellation ends the story, so it is rarer than the rest.
    const afterMs = chance.happens(0.5) ? chance.between(0, minute) : chance.between(0, 30 * minute);
    return { afterMs, act: act === 'cancel' && chance.happens(0.5) ? 'pause' : act };
  });
};

const drawBatch = (chance: Chance, batch: number, others: readonly MeantBatch[], isLong: boolean): MeantBatch => {
  const length = isLong ? chance.int(10, 30) : chance.pick([1, 2, 2, 3, 4]);
  const rows = Array.from({ length }, (_, index) => drawRow(chance, batch, index + 1)).map((row) => {
    // A reference of another batch. That batch's payout may be made, and this one must not.
    const [taken] = chance.pick([others, others, others])[0]?.rows ?? [];
    if (taken === undefined || !chance.happens(0.1)) return row;
    const isShouted = chance.fork(`letter case of ${batch} ${row.row}`).happens(0.5);
    return { ...row, reference: isShouted ? taken.reference.toUpperCase() : taken.reference };
  });
  const unique = rows.filter(({ reference }, index) => rows.findIndex((row) => row.reference === reference) === index);
  const bad = chance.fork(`bad rows of ${batch}`);
  const again = chance.fork(`debts of ${batch}`);
  const owed: MeantRow[] = others.flatMap((other) => other.rows);
  const numbered = unique.map((row, index) => {
    const [first = row, ...more] = owed;
    const { currency, destination, amount: due } = again.happens(repeatedRows) ? again.pick([first, ...more]) : row;
    const amount = bad.happens(badRows) ? 0n : due;
    const meant = { reference: row.reference, row: index + 1, currency, destination, amount };
    owed.push(meant);
    return meant;
  });
  return {
    key: `uploads/file-${batch}.csv`,
    rows: numbered,
    csv: csvOf(numbered),
    startsInMs: chance.happens(0.5) ? 0 : chance.between(0, 10 * minute),
    isToBeApproved: chance.fork(`approval of ${batch}`).happens(0.08),
    isStartedTwice: chance.happens(0.2),
    acts: drawActs(chance),
    overwritten: drawOverwriting(chance, numbered),
  };
};

/** The same rows with other amounts. Only the amounts show whose file was read. */
const drawOverwriting = (chance: Chance, rows: readonly MeantRow[]): MeantBatch['overwritten'] => {
  if (!chance.happens(0.1)) return undefined;
  const csv = csvOf(rows.map((row) => ({ ...row, amount: row.amount + million })));
  return { afterMs: chance.between(0, chance.pick([50, 50, 10_000])), csv };
};

const drawCopies = (chance: Chance, [first]: readonly MeantBatch[]): readonly MeantBatch[] => {
  if (first === undefined || !chance.happens(copyRuns)) return [];
  const startsInMs = first.startsInMs + chance.between(0, chance.pick([50, 500, minute]));
  return [{ ...first, key: 'uploads/copy.csv', startsInMs, overwritten: undefined }];
};

const drawRetries = (chance: Chance, [first]: readonly MeantBatch[]): readonly MeantBatch[] => {
  if (first === undefined || !chance.happens(retryRuns)) return [];
  const again = first.rows.map((row) => ({ ...row, reference: `${row.reference}.r1` }));
  const laterMs = (): number => chance.between(0, chance.pick([minute, 60 * minute, 4 * 60 * minute]));
  // The second file has the same rows in another order, so its content is new and its references are not.
  return Array.from({ length: chance.int(1, 2) }, (_, index) => {
    const rows = (index === 0 ? again : again.toReversed()).map((row, at) => ({ ...row, row: at + 1 }));
    const startsInMs = first.startsInMs + laterMs();
    return {
      ...first,
      key: `uploads/retry-${index + 1}.csv`,
      rows,
      csv: csvOf(rows),
      startsInMs,
      overwritten: undefined,
    };
  });
};

const drawSpenders = (chance: Chance): Scenario['spenders'] => {
  if (!chance.happens(spenderRuns)) return [];
  return Array.from({ length: chance.int(1, 4) }, () => ({
    afterMs: chance.between(0, chance.pick([10_000, 2 * minute, 30 * minute])),
    currency: chance.pick(['IDR', 'IDR', 'usdt-tron']),
    percent: BigInt(chance.int(1, 60)),
  }));
};

/** Half of the operators set the provider's limits. The others keep the defaults, which are far higher. */
const drawLimits = (chance: Chance, rate: ProviderTerms['rate']): Scenario['limits'] => {
  if (rate === undefined) return { post: 0, read: 0 };
  return chance.happens(0.5) ? { post: rate.postsPerSecond, read: rate.readsPerSecond } : { post: 20, read: 50 };
};

/** Exactly the largest need among the batches, in each currency. */
const drawRushBalances = (batches: readonly MeantBatch[]): ReadonlyMap<string, bigint> => {
  const needs = (currency: string): readonly bigint[] =>
    batches.map(({ rows }) =>
      rows
        .filter((row) => row.currency === currency)
        .reduce((sum, { amount }) => sum + amount + (fees[currency] ?? 0n), 0n),
    );
  const most = (currency: string): bigint =>
    needs(currency)
      .toSorted((a, b) => (a < b ? -1 : 1))
      .at(-1) ?? 0n;
  return new Map(['IDR', 'usdt-tron', 'usdc-polygon'].map((currency) => [currency, most(currency)]));
};

/** Part of the fiat that is needed, and enough tokens to convert the rest more than once. */
const drawShortBalances = (chance: Chance, need: (currency: string) => bigint): ReadonlyMap<string, bigint> =>
  new Map([
    ['IDR', (need('IDR') * BigInt(chance.int(0, 90))) / 100n],
    ['usdt-tron', need('usdt-tron') + 3n * need('IDR')],
    ['usdc-polygon', chance.pick([0n, 3n]) * need('IDR')],
  ]);

/** The total that the batches pay in a currency, fees included. */
const needOf =
  (batches: readonly Pick<MeantBatch, 'rows'>[]) =>
  (currency: string): bigint =>
    batches
      .flatMap(({ rows }) => rows)
      .filter((row) => row.currency === currency)
      .reduce((sum, { amount }) => sum + amount + (fees[currency] ?? 0n), 0n);

/** All that the first batch pays, part of what the others pay, and enough tokens to convert the rest more than once. */
export const drawBalancesForOne = (
  chance: Chance,
  [first, ...rest]: readonly Pick<MeantBatch, 'rows'>[],
): ReadonlyMap<string, bigint> => {
  const [need, needOfRest] = [needOf(first === undefined ? [] : [first]), needOf(rest)];
  const idr = need('IDR') + (needOfRest('IDR') * BigInt(chance.int(0, 90))) / 100n;
  return new Map([
    ['IDR', idr],
    ['usdt-tron', need('usdt-tron') + needOfRest('usdt-tron') + 3n * needOfRest('IDR')],
    ['usdc-polygon', 0n],
  ]);
};

/**
 * Just enough tokens for the conversion that is needed, so that the rate's last percent matters.
 *
 * @param tokens the least and most tokens, in ten-thousandths of the need at the mean rate
 */
export const drawTightBalances = (
  chance: Chance,
  batches: readonly Pick<MeantBatch, 'rows'>[],
  [least, most]: readonly [number, number],
): ReadonlyMap<string, bigint> => {
  const need = needOf(batches);
  const idr = (need('IDR') * BigInt(chance.pick([0, 40, 80]))) / 100n;
  const tokens = ((need('IDR') - idr) * rateScale) / (rates.get('usdt-tron~IDR') ?? rateScale);
  const spare = (tokens * BigInt(chance.int(least, most))) / 10_000n;
  return new Map([
    ['IDR', idr],
    ['usdt-tron', need('usdt-tron') + spare],
    ['usdc-polygon', 0n],
  ]);
};

export const drawBalances = (
  chance: Chance,
  batches: readonly MeantBatch[],
  areShort: boolean,
): ReadonlyMap<string, bigint> => {
  const need = needOf(batches);
  const share = (amount: bigint, percent: number): bigint => (amount * BigInt(percent)) / 100n;
  if (areShort) return drawShortBalances(chance, need);
  const idr = share(need('IDR'), chance.pick([0, 40, 80, 100, 100, 200, 200, 200]));
  const tokens = share(need('usdt-tron'), chance.pick([60, 100, 200, 200, 200]));
  if (chance.happens(0.3)) return drawTightBalances(chance, batches, [9_900, 10_200]);
  // Half of the runs have enough for conversions, the others do not.
  const spare = chance.happens(0.5) ? need('IDR') : need('IDR') / 3n;
  return new Map([
    ['IDR', idr],
    ['usdt-tron', tokens + (chance.happens(0.5) ? spare : 0n)],
    ['usdc-polygon', chance.happens(0.5) ? spare : 0n],
  ]);
};

/** Changes that a provider makes days after it reported the end, and the fees that it reports. */
const withLateTurns = (
  chance: Chance,
  terms: ProviderTerms,
  isReconciled: boolean,
  isAlone: boolean,
): ProviderTerms => ({
  ...terms,
  feeFactor: (isAlone ? chance : chance.fork('odd fees')).happens(oddFeeRuns) ? 2500n : 1n,
  ...(isReconciled
    ? {
        returned: { probability: chance.pick([0.2, 0.6]), mostMs: chance.pick([6, 48, 200]) * 60 * minute },
        fortunes: chance.happens(0.5) ? terms.fortunes : { odd: 0, slow: 0, held: 0.3 },
      }
    : {}),
});

/** Longer than the provider hides any payment. */
const hiddenHours = longestHiddenHours + 1;

/** The operators' settings for the provider's traits. */
const drawTraits = (chance: Chance, terms: ProviderTerms, isLong: boolean): ProviderTraits =>
  providerTraits().parse({
    payoutsPerCall: isLong ? chance.int(1, 2) : chance.int(1, 4),
    pageLimit: chance.int(1, 4),
    rails: {
      fiat: { referenceUniqueHours: terms.promisesUnique ? terms.uniqueHours : 0, hiddenHours },
      crypto: { hiddenHours },
    },
  });

export const drawScenario = (chance: Chance): Scenario => {
  const batches: MeantBatch[] = [];
  const isLong = chance.happens(longRuns);
  const isRush = !isLong && chance.happens(rushes);
  const areShort = isRush && chance.fork('short together').happens(0.5);
  const isLeftPaused = chance.fork('left paused').happens(leftPausedRuns);
  const count = isLong ? 1 : isRush ? chance.int(2, 3) : chance.pick([1, 1, 2, 2, 3]);
  for (let batch = 1; batch <= count; batch += 1) {
    const drawn = drawBatch(chance, batch, batches, isLong);
    const acts = isLeftPaused ? [{ afterMs: chance.between(1000, 60_000), act: 'pause' as const }] : drawn.acts;
    batches.push({ ...drawn, acts, ...(isRush ? { startsInMs: chance.between(0, 2000) } : {}) });
  }
  const rows = batches.flatMap((batch) => batch.rows);
  const isReconciled = chance.fork('reconciled').happens(isLong ? longReconciledRuns : reconciledRuns);
  const more = isLong
    ? []
    : [...drawCopies(chance.fork('copies'), batches), ...drawRetries(chance.fork('retries'), batches)];
  const drawn = drawTerms(chance.fork('terms'), isLong);
  const terms = withLateTurns(chance.fork('late turns'), drawn, isReconciled, batches.length + more.length === 1);
  const { odd, slow, held } = terms.fortunes;
  const isSlow = slow + held > 0;
  const traits = drawTraits(chance, terms, isLong);
  const settings = orchestratorSettings().parse({
    // Memory is reserved for the maximum number of rows. The files here need far fewer than the default.
    maxRows: 10_000,
    pollFirstSeconds: chance.pick([5, 30]),
    pollMaxSeconds: chance.pick([300, 900]),
    // If every payment ends, no payout needs to be given up.
    followDays: isSlow ? 9 : odd === 0 ? chance.pick([0.02, 0.1, 9]) : chance.pick([0.02, 0.1]),
    onHoldFollowMinutes: chance.pick([0, 10]),
    fundsWaitHours: chance.pick([0.5, 3]),
    ...drawGate(chance.fork('gate')),
    // Low, so that long runs are handed over several times: see historyOf.
    sweepsPerExecution: chance.fork('sweeps').pick([50, 100]),
    equalRefusals: chance.fork('equal refusals').pick([1, 1, 3]),
    reconcileAfterDays: isReconciled ? chance.fork('days').pick([[1, 3, 7], [0.3, 1], [2]]) : [],
  });
  return {
    batches: [...batches, ...more],
    settings,
    traits,
    terms,
    limits: drawLimits(chance.fork('limits'), terms.rate),
    submitsAtOnce: isLong ? chance.int(1, 3) : 3,
    balances: isRush && !areShort ? drawRushBalances(batches) : drawBalances(chance, batches, areShort),
    isRush,
    isLeftPaused,
    outsiders: rows.filter(() => chance.happens(0.03)).map((row) => ({ row, afterMs: chance.between(0, 10 * minute) })),
    spenders: drawSpenders(chance.fork('spenders')),
    credentialsRefused: drawSpan(chance, 0.1),
    routeLost: drawSpan(chance, 0.1),
    isWatched: chance.happens(0.15),
    isSettled: chance.fork('settled').happens(0.3),
    refusesAll: drawSpan(chance.fork('refuses all'), 0.15),
    isReconciled,
  };
};
