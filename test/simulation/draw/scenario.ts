import type { OrchestratorSettings } from '../../../functions/domain/settings.ts';
import { orchestratorSettings } from '../../../functions/domain/settings.ts';
import type { RequestKind } from '../../../functions/ports/pace.ts';
import type { ProviderTraits } from '../../../functions/provider/settings.ts';
import { providerTraits } from '../../../functions/provider/settings.ts';
import { tronAddress } from '../../support/wallet-addresses.ts';
import { rateScale } from '../provider/exchange.ts';
import { amountText } from '../provider/money.ts';
import type { ProviderTerms } from '../provider/service.ts';
import { longestHiddenHours, refusedDestination, refusedWallet } from '../provider/service.ts';
import type { Chance } from '../world/random.ts';
import type { Storm } from '../world/storms.ts';
import { drawGate } from './draw-gate.ts';
import { drawTerms, fees, rates } from './draw-terms.ts';

const minute = 60_000;

/** What somebody is owed, once, and for one reason. */
export interface Debt {
  readonly id: string;
  readonly owedTo: string;
  readonly currency: string;
  readonly amount: bigint;
}

/** A row of a payout file, as whoever made the file meant it. */
export interface MeantRow {
  readonly row: number;
  /** Empty where the file has none: the product makes one of batch and row. */
  readonly reference: string;
  readonly currency: string;
  readonly amount: bigint;
  readonly destination: Readonly<Record<string, string>>;
  /** The debt it is to pay, where the generator knows of debts. */
  readonly debt?: Debt;
  /** Where the debt is to be paid, when the row names a wrong place that nobody can be paid at. */
  readonly mended?: Readonly<Record<string, string>>;
  /** It breaks a rule of the payout file: it is skipped. */
  readonly isFlawed?: boolean;
}

/** A file to correct of another file's batch: what a clerk makes of it. */
export interface Correction {
  /** The file that is corrected. It may be a correction itself. */
  readonly key: string;
  /** How long the download lies about before it is uploaded, mended. */
  readonly liesMs: number;
  /** The rows of it that are taken: by their place, or those alone that were bad. */
  readonly part: 'whole' | 'odd' | 'even' | 'bad';
  /** Bad rows are mended with another account of the recipient's. */
  readonly isElsewhere: boolean;
  /** One bad row stays as it was. */
  readonly leavesOne: boolean;
  /** A row that was not skipped stands in it by mistake, in place of one that was, or besides. */
  readonly slip?: 'instead' | 'besides';
}

export type OperatorAct = 'pause' | 'resume' | 'resume_twice' | 'cancel' | 'stop' | 'redrive';

/** One batch of a run: its file, and what is done to it when. */
export interface MeantBatch {
  readonly key: string;
  readonly rows: readonly MeantRow[];
  readonly csv: string;
  readonly startsInMs: number;
  /** Started so that a person has to approve it. */
  readonly isToBeApproved: boolean;
  /** Started so that it begins so long after it was first asked for. */
  readonly restsMs?: number;
  /** Started so that its first so many rows are paid before the others. */
  readonly canary?: number;
  /** Started so that it pauses when more than so many percent ended unpaid. */
  readonly pauseAbove?: number;
  /** Started by two requests at once, with one idempotency key. */
  readonly isStartedTwice: boolean;
  readonly acts: readonly { readonly afterMs: number; readonly act: OperatorAct }[];
  /** Another file that somebody uploads under the same key once the batch is started, and how soon. */
  readonly overwritten: { readonly afterMs: number; readonly csv: string } | undefined;
  /** Started so that its content may be paid again. */
  readonly allowsSameFile?: boolean;
  /**
   * It is the retry.csv of the batch of another file, downloaded as soon as there is one; uploaded when it has lain about for
   * so long, mended or as it is. Its rows are not known before.
   */
  readonly retryOf?: { readonly key: string; readonly liesMs: number; readonly isMended: boolean };
  /** It corrects the batch of another file. Its rows are not known before. */
  readonly corrects?: Correction;
  /** Started so that a bad row refuses the whole file. */
  readonly rejectsBadRows?: boolean;
}

/** A time of the run, in milliseconds from its start. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

const drawSpan = (chance: Chance, probability: number): Span | undefined => {
  if (!chance.happens(probability)) return undefined;
  const fromMs = chance.between(0, 10 * minute);
  return { fromMs, toMs: fromMs + chance.between(0, 3 * 60 * minute) };
};

/** What a run is about. Small: what goes wrong between two rows needs no thousand of them. */
export interface Scenario {
  readonly batches: readonly MeantBatch[];
  readonly settings: OrchestratorSettings;
  readonly traits: ProviderTraits;
  readonly terms: ProviderTerms;
  /** Requests a second that the operator's settings allow, by kind; 0 sets no limit. */
  readonly limits: Readonly<Record<RequestKind, number>>;
  /** Chunks of a batch that are submitted at once. */
  readonly submitsAtOnce: number;
  readonly balances: ReadonlyMap<string, bigint>;
  /** Batches start at once, and there is money for any of them, but not for all; or all are short, and may convert. */
  readonly isRush: boolean;
  /** Rows whose reference another system uses as well, and when. */
  readonly outsiders: readonly { readonly row: MeantRow; readonly afterMs: number }[];
  /** When other systems of the merchant take money of the balance, and how much. */
  readonly spenders: readonly { readonly afterMs: number; readonly currency: string; readonly percent: bigint }[];
  /** While the provider refuses the credentials, in milliseconds from the start. */
  readonly credentialsRefused: Span | undefined;
  /** Whether the watch looks every five minutes: it asks much, so in a part of the runs. */
  readonly isWatched: boolean;
  /** Whether operators go on until they have settled what may be settled. */
  readonly isSettled: boolean;
  /** Whether batches are paused early, and left so for hours after the weather has cleared. */
  readonly isLeftPaused: boolean;
  /** While the provider refuses every payment, in words of no row. */
  readonly refusesAll: Span | undefined;
  /** Whether ended batches are compared with the provider for days: a run lasts until the last time. */
  readonly isReconciled: boolean;
  /** The weather of its story. */
  readonly storm?: Omit<Storm, 'until'>;
  /** While a gateway before the provider knows no path of a payment. */
  readonly routeLost: Span | undefined;
}

/** Runs of one batch with many chunks, more than are submitted at once. */
const longRuns = 0.08;
/** Runs of batches that compete for money. */
const rushes = 0.08;
/** Runs whose batches are paused early, and left so. */
const leftPausedRuns = 0.12;
/** Runs that go on for days after their batches have ended. */
const reconciledRuns = 0.08;
/** The same of those with many chunks: only there lists are read, since a few payouts are asked about singly. */
const longReconciledRuns = 0.3;
/** Runs whose provider tells fees far from its estimate. */
const oddFeeRuns = 0.05;
/** Rows that are invalid, and skipped: their amount is zero. */
const badRows = 0.05;
/** Rows that owe what an earlier row owes, of their file or of another batch's. */
const repeatedRows = 0.1;
/** Runs in which somebody uploads a file once more, under another name, and starts it. */
const copyRuns = 0.15;
/** Runs in which somebody uploads a retry file of a batch, whatever became of it: early, late or twice. */
const retryRuns = 0.15;
/** Runs in which others spend of the balance. */
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
    // Cancelling ends the story: it is rarer than the rest.
    const afterMs = chance.happens(0.5) ? chance.between(0, minute) : chance.between(0, 30 * minute);
    return { afterMs, act: act === 'cancel' && chance.happens(0.5) ? 'pause' : act };
  });
};

const drawBatch = (chance: Chance, batch: number, others: readonly MeantBatch[], isLong: boolean): MeantBatch => {
  const length = isLong ? chance.int(10, 30) : chance.pick([1, 2, 2, 3, 4]);
  const rows = Array.from({ length }, (_, index) => drawRow(chance, batch, index + 1)).map((row) => {
    // A reference of another batch: that batch's payout may be made, and this one must not.
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

/** The same rows with other amounts: nothing else would tell whose file was read. */
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
  // The second file has the same rows in another order: its content is new, its references are not.
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

/** Half of the operators set what the provider allows, the others leave the defaults, which are far more. */
const drawLimits = (chance: Chance, rate: ProviderTerms['rate']): Scenario['limits'] => {
  if (rate === undefined) return { post: 0, read: 0 };
  return chance.happens(0.5) ? { post: rate.postsPerSecond, read: rate.readsPerSecond } : { post: 20, read: 50 };
};

/** In each currency as much as the batch needs that needs most of it, and no more. */
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

/** A part of the fiat that is needed, and tokens enough to convert the rest of it more than once. */
const drawShortBalances = (chance: Chance, need: (currency: string) => bigint): ReadonlyMap<string, bigint> =>
  new Map([
    ['IDR', (need('IDR') * BigInt(chance.int(0, 90))) / 100n],
    ['usdt-tron', need('usdt-tron') + 3n * need('IDR')],
    ['usdc-polygon', chance.pick([0n, 3n]) * need('IDR')],
  ]);

/** What batches pay of a currency, with its fees. */
const needOf =
  (batches: readonly Pick<MeantBatch, 'rows'>[]) =>
  (currency: string): bigint =>
    batches
      .flatMap(({ rows }) => rows)
      .filter((row) => row.currency === currency)
      .reduce((sum, { amount }) => sum + amount + (fees[currency] ?? 0n), 0n);

/**
 * Tokens for the conversion that is needed and no more: so that the rate's last percent matters.
 *
 * @param tokens for how much of it at the mean rate, in ten-thousandths: the least and the most
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
  // Enough for conversions in half the runs, not enough in the others.
  const spare = chance.happens(0.5) ? need('IDR') : need('IDR') / 3n;
  return new Map([
    ['IDR', idr],
    ['usdt-tron', tokens + (chance.happens(0.5) ? spare : 0n)],
    ['usdc-polygon', chance.happens(0.5) ? spare : 0n],
  ]);
};

/** What a provider does days after it said that all is done; and fees that it tells. */
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

/** Longer than the provider hides anything. */
const hiddenHours = longestHiddenHours + 1;

/** What the operators know about the provider. */
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
    // As many as a file may have, memory is set aside for: far more than the files here need.
    maxRows: 10_000,
    pollFirstSeconds: chance.pick([5, 30]),
    pollMaxSeconds: chance.pick([300, 900]),
    // Where each payment ends, nobody has to give one up.
    followDays: isSlow ? 9 : odd === 0 ? chance.pick([0.02, 0.1, 9]) : chance.pick([0.02, 0.1]),
    onHoldFollowMinutes: chance.pick([0, 10]),
    fundsWaitHours: chance.pick([0.5, 3]),
    ...drawGate(chance.fork('gate')),
    // Few, so that what is followed for days is handed over several times: see historyOf.
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
