import type { Chance } from '../../support/chance.ts';
import { hour, minute, second } from '../../support/durations.ts';
import { evmAddress, tronAddress } from '../../support/wallet-addresses.ts';
import { fees } from '../draw/draw-terms.ts';
import type { Debt, MeantBatch, MeantRow, OperatorAct, Scenario } from '../draw/scenario.ts';
import { amountText } from '../provider/money.ts';
import { refusedDestination, refusedWallet } from '../provider/service.ts';

/** Subjects of a run. A run has several. */
export const kinds = [
  'without_references',
  'same_file_again',
  'byte_changed',
  'one_debt_twice',
  'two_debts_alike',
  'debts_alike_in_two_files',
  'corrected_whole',
  'corrected_rows',
  'retry_written_early',
  'retry_written_late',
  'retry_downloaded',
  'retry_kept_for_hours',
  'retry_twice',
  'retry_elsewhere',
  'skipped_rows',
  'several_batches',
  'tens_of_rows',
  'mixed_rails',
  'overwritten',
  'outsiders',
] as const;
export type Kind = (typeof kinds)[number];

/** Replaces the first generator's part of a scenario. */
export type Workload = Pick<Scenario, 'batches' | 'balances' | 'outsiders' | 'spenders' | 'isRush'> & {
  readonly kinds: ReadonlySet<Kind>;
};

type Destination = MeantRow['destination'];
type Acts = MeantBatch['acts'];
type Currency = 'IDR' | 'usdt-tron' | 'usdc-polygon';

/** A debt, its destination, and the unpayable destination that a file may name by mistake. */
interface Owed {
  readonly debt: Debt;
  readonly destination: Destination;
  readonly wrong: Destination;
}

/** A row as someone types it: the meant row, and the text of its cells. */
interface TypedRow extends MeantRow {
  readonly cells: Readonly<Record<string, string>>;
}

/** A file before anything is done with it. */
interface PayFile {
  readonly key: string;
  readonly rows: readonly TypedRow[];
  readonly csv: string;
  readonly startsInMs: number;
}

const million = 1_000_000n;
const columns = [
  'reference',
  'amount',
  'currency',
  'recipientId',
  'bankCode',
  'bankName',
  'accountNumber',
  'accountName',
  'walletAddress',
  'note',
] as const;

/** An address of either network without the digits that the provider refuses. */
const unrefused = (addressOf: (seed: string) => string, seed: string): string => {
  const address = addressOf(seed);
  return address.includes(refusedDestination) ? unrefused(addressOf, `${seed}'`) : address;
};

const bank = (bankCode: string, accountNumber: string): Destination => ({ bankCode, accountNumber });

/** A person's destination by currency: one account, or one id that hides it, and a wallet per network. */
const destinationOf = (chance: Chance, person: number, currency: Currency): Destination => {
  switch (currency) {
    case 'IDR': {
      const account = `7${String(person).padStart(3, '0')}0${(person * 37) % 91}`;
      return chance.happens(0.3)
        ? { recipientId: `person-${person}` }
        : bank(person % 2 === 0 ? 'bca' : 'bni', account);
    }
    case 'usdt-tron':
      return { walletAddress: unrefused(tronAddress, `wallet of ${person}`) };
    case 'usdc-polygon':
      return { walletAddress: unrefused(evmAddress, `wallet of ${person}`) };
  }
};

/** Another valid account of the person. Someone who thinks that a payment failed may ask for it there. */
export const elsewhereOf = ({ owedTo, currency }: Debt): Destination => {
  if (currency === 'IDR') return bank('bni', `8${owedTo.replace('person-', '').padStart(3, '0')}`);
  const addressOf = currency === 'usdt-tron' ? tronAddress : evmAddress;
  return { walletAddress: unrefused(addressOf, `other wallet of ${owedTo}`) };
};

const wrongOf = (currency: Currency, person: number): Destination => {
  switch (currency) {
    case 'IDR':
      return bank('bca', `${refusedDestination}${String(person).padStart(3, '0')}`);
    case 'usdt-tron':
      return { walletAddress: refusedWallet };
    case 'usdc-polygon':
      return { walletAddress: `0x${refusedDestination.padEnd(40, '6')}` };
  }
};

export const cellsOf = (destination: Destination): Record<string, string> =>
  destination['bankCode'] === undefined
    ? { ...destination }
    : { ...destination, bankName: destination['bankCode'].toUpperCase(), accountName: 'Somebody' };

const quoted = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** A file without any reference has no column for it. */
const csvOf = (rows: readonly { readonly cells: TypedRow['cells'] }[]): string => {
  const named = columns.filter((column) => column !== 'reference' || rows.some(({ cells }) => cells[column]));
  const lines = rows.map(({ cells }) => named.map((column) => quoted(cells[column] ?? '')).join(','));
  return `${[named.join(','), ...lines].join('\n')}\n`;
};

/** The file that someone makes from a downloaded retry.csv, with corrected destinations. */
export const correctedCsv = (rows: readonly MeantRow[]): string =>
  csvOf(
    rows.map(({ reference, amount, currency, destination }) => ({
      cells: { ...cellsOf(destination), reference, amount: amountText(amount), currency },
    })),
  );

/** Invalid cells, one mistake each. */
const flaws: readonly [Record<string, string>, ...Record<string, string>[]] = [
  { amount: 'ten' },
  { amount: '-5' },
  { amount: '0' },
  { amount: '1,000' },
  { currency: 'XXX' },
  { recipientId: '', bankCode: '', bankName: '', accountNumber: '', accountName: '', walletAddress: '' },
  { reference: 'has space' },
];

/** The debts of a run in the order in which they arise, and the files that pay them. */
class Bookkeeper {
  readonly kinds = new Set<Kind>();
  readonly batches: MeantBatch[] = [];
  readonly #chance: Chance;
  readonly #currencies: readonly [Currency, ...Currency[]];
  #debts = 0;
  #files = 0;
  #references = 0;

  constructor(chance: Chance) {
    this.#chance = chance;
    this.#currencies = chance.pick<readonly [Currency, ...Currency[]]>([
      ['IDR'],
      ['usdt-tron'],
      ['IDR', 'usdt-tron'],
      ['IDR', 'usdt-tron', 'usdc-polygon'],
    ]);
  }

  #has(kind: Kind, probability: number): boolean {
    const has = this.#chance.happens(probability);
    if (has) this.kinds.add(kind);
    return has;
  }

  #owe(): Owed {
    const chance = this.#chance;
    this.#debts += 1;
    const person = chance.int(1, 400);
    const currency = chance.pick(this.#currencies);
    const cents = currency === 'IDR' ? 0n : BigInt(chance.pick([0, 0, 250_000, 990_000]));
    // More than the 7 that outsiders pay, so their payments never look like ours.
    const amount = BigInt(chance.int(8, 300)) * million + cents;
    const debt = { id: `debt-${this.#debts}`, owedTo: `person-${person}`, currency, amount };
    return { debt, destination: destinationOf(chance, person, currency), wrong: wrongOf(currency, person) };
  }

  /** Another debt of the same amount to the same person, for another reason. */
  #oweAlike(owed: Owed): Owed {
    this.#debts += 1;
    return { ...owed, debt: { ...owed.debt, id: `debt-${this.#debts}` } };
  }

  #reference(): string {
    this.#references += 1;
    return `pay-${this.#references}`;
  }

  #typed({ debt, destination, wrong }: Owed, reference: string, isWrong: boolean): TypedRow {
    const { amount, currency } = debt;
    const chance = this.#chance;
    const to = isWrong ? wrong : destination;
    const text = amountText(amount);
    // Trailing zeros do not change the amount.
    const written = currency !== 'IDR' && chance.happens(0.2) && !text.includes('.') ? `${text}.00` : text;
    const note = chance.happens(0.5) ? chance.pick(['salary', 'rent, March', 'the "old" bill', 'refund']) : '';
    return {
      row: 0,
      reference,
      currency,
      amount,
      destination: to,
      debt,
      ...(isWrong ? { corrected: destination } : {}),
      cells: { ...cellsOf(to), reference, amount: written, currency, note },
    };
  }

  #numbered(rows: readonly TypedRow[]): readonly TypedRow[] {
    return rows.map((row, index) => ({ ...row, row: index + 1 }));
  }

  /** A file that owes some debts, one per row, and some rows by mistake. */
  draw(earlier: readonly Owed[], startsInMs: number): { readonly file: PayFile; readonly owed: readonly Owed[] } {
    const chance = this.#chance;
    const isLarge = this.#has('tens_of_rows', 0.12);
    const count = isLarge ? chance.int(20, 40) : chance.int(1, 6);
    const owed = Array.from({ length: count }, () => this.#owe());
    const [first, ...others] = owed;
    if (first !== undefined && this.#has('two_debts_alike', 0.2))
      owed.push(this.#oweAlike(chance.pick([first, ...others])));
    const [before, ...more] = earlier;
    if (before !== undefined && this.#has('debts_alike_in_two_files', 0.25))
      owed.push(this.#oweAlike(chance.pick([before, ...more])));
    const named = chance.pick(['all', 'all', 'none', 'some']);
    const referenceOf = (): string =>
      named === 'all' || (named === 'some' && chance.happens(0.5)) ? this.#reference() : '';
    const wrong = chance.pick([0, 0, 0.2, 0.5]);
    const rows = owed.map((one) => this.#typed(one, referenceOf(), chance.happens(isLarge ? wrong / 4 : wrong)));
    if (this.#has('one_debt_twice', 0.15)) {
      const { row, ...same } = chance.pick([rows[0] ?? this.#typed(this.#owe(), '', false), ...rows]);
      const reference = same.reference === '' ? '' : this.#reference();
      // Next to it, or far below.
      const at = chance.happens(0.5) ? rows.length : chance.int(0, rows.length);
      rows.splice(at, 0, { ...same, row, reference, cells: { ...same.cells, reference } });
    }
    if (this.#has('skipped_rows', 0.2)) {
      const flawed = Array.from({ length: chance.int(1, 2) }, () => this.#flawed(this.#owe(), referenceOf()));
      for (const row of flawed) rows.splice(chance.int(0, rows.length), 0, row);
    }
    const file = this.#file(rows, startsInMs);
    if (file.rows.some(({ reference }) => reference === '')) this.kinds.add('without_references');
    if (new Set(owed.map(({ debt }) => debt.currency === 'IDR')).size > 1) this.kinds.add('mixed_rails');
    return { file, owed };
  }

  #flawed(owed: Owed, reference: string): TypedRow {
    const typed = this.#typed(owed, reference, false);
    const flaw = this.#chance.pick(flaws);
    return { ...typed, reference: flaw['reference'] ?? reference, isFlawed: true, cells: { ...typed.cells, ...flaw } };
  }

  #file(typed: readonly TypedRow[], startsInMs: number): PayFile {
    this.#files += 1;
    const rows = this.#numbered(typed);
    return { key: `second/file-${this.#files}.csv`, rows, csv: csvOf(rows), startsInMs };
  }

  /** Starts the file, with people's acts on its batch. */
  upload(file: PayFile, more: Partial<MeantBatch> = {}): void {
    const chance = this.#chance;
    const isOverwritten = this.#has('overwritten', 0.05);
    const stranger = this.#typed(this.#owe(), '', false);
    this.batches.push({
      ...file,
      rows: file.rows.map(({ cells: _, ...row }) => row),
      isToBeApproved: chance.happens(0.05),
      isStartedTwice: chance.happens(0.15),
      acts: this.#acts(),
      overwritten: isOverwritten ? { afterMs: chance.between(0, 20 * second), csv: csvOf([stranger]) } : undefined,
      ...more,
    });
  }

  #acts(): Acts {
    const chance = this.#chance;
    if (chance.happens(0.6)) return [];
    return Array.from({ length: chance.int(1, 3) }, () => ({
      afterMs: chance.between(0, chance.pick([20 * second, 5 * minute, 3 * hour])),
      act: chance.pick<OperatorAct>([
        'pause',
        'pause',
        'pause',
        'resume',
        'resume_twice',
        'stop',
        'stop',
        'redrive',
        'cancel',
      ]),
    }));
  }

  /** At the same moment, while the first is in progress, or long after it ended. */
  #after({ startsInMs }: PayFile): number {
    const chance = this.#chance;
    const within = chance.pick([20, 2 * second, minute, hour, 12 * hour]);
    return startsInMs + chance.between(0, within);
  }

  /** People's acts on a file that is or was uploaded. */
  handle(file: PayFile): void {
    const chance = this.#chance;
    if (this.#has('same_file_again', 0.12)) {
      const again = { ...file, key: `${file.key}.again`, startsInMs: this.#after(file) };
      this.upload(again, chance.happens(0.5) ? { allowsSameFile: true } : {});
    }
    if (this.#has('byte_changed', 0.15))
      this.upload({ ...file, key: `${file.key}.changed`, csv: this.#changed(file.csv), startsInMs: this.#after(file) });
    const isRenamed = this.#correct(file);
    this.#writeRetries(file, isRenamed);
    this.#downloadRetries(file);
  }

  #changed(csv: string): string {
    return this.#chance.pick([`${csv}\n`, csv.replace('\n', '\r\n'), csv.replace('amount', 'Amount'), `\ufeff${csv}`]);
  }

  /**
   * Uploads the file again, or only its failed rows: corrected and without repeated rows. True when its rows have other
   * references, by which nobody could recognize them.
   */
  #correct(file: PayFile): boolean {
    const chance = this.#chance;
    const seen = new Set<string>();
    const kept = file.rows.filter(({ debt, isFlawed }) => {
      const isFirst = !seen.has(debt?.id ?? '');
      seen.add(debt?.id ?? '');
      return isFirst && isFlawed !== true;
    });
    const failed = kept.filter(({ corrected }) => corrected !== undefined);
    const isFaulty = failed.length > 0 || kept.length < file.rows.length;
    if (!isFaulty || !chance.happens(0.4)) return false;
    const isWhole = failed.length === 0 || chance.happens(0.5);
    this.kinds.add(isWhole ? 'corrected_whole' : 'corrected_rows');
    const name = chance.pick(['as it was', 'retry', 'new', 'none']);
    const rows = (isWhole ? kept : failed).map((row) => {
      const isFailed = row.corrected !== undefined;
      const reference =
        name === 'none'
          ? ''
          : name === 'new'
            ? this.#reference()
            : name === 'retry' && isFailed && row.reference !== ''
              ? `${row.reference}.r1`
              : row.reference;
      return correct({ ...row, reference, cells: { ...row.cells, reference } });
    });
    this.upload(this.#file(rows, this.#after(file)));
    return name === 'new' || name === 'none';
  }

  /** A retry file written by hand, or kept from before: rows that failed, and rows that did not. */
  #writeRetries(file: PayFile, isRenamed: boolean): void {
    const chance = this.#chance;
    const named = file.rows.filter(({ reference, isFlawed }) => reference !== '' && isFlawed !== true);
    if (named.length === 0 || !chance.happens(0.2)) return;
    const isEarly = chance.happens(0.5);
    this.kinds.add(isEarly ? 'retry_written_early' : 'retry_written_late');
    const round = chance.happens(0.1) ? 2 : 1;
    const isCorrected = chance.happens(0.5);
    const isElsewhere = !isRenamed && this.#has('retry_elsewhere', 0.3);
    const few = named.filter(({ corrected }) => corrected !== undefined || chance.happens(0.3));
    const rows = (few.length > 0 ? few : named.slice(0, 1)).map((row) => {
      const reference = `${row.reference}.r${round}`;
      const retried = { ...row, reference, cells: { ...row.cells, reference } };
      if (isElsewhere && row.debt !== undefined) return correct({ ...retried, corrected: elsewhereOf(row.debt) });
      return isCorrected ? correct(retried) : retried;
    });
    const startsInMs = file.startsInMs + (isEarly ? chance.between(0, 3 * minute) : chance.between(hour, 12 * hour));
    const retry = this.#file(rows, startsInMs);
    this.upload(retry);
    if (this.#has('retry_twice', 0.4))
      this.upload({ ...retry, key: `${retry.key}.again`, startsInMs: this.#after(retry) });
  }

  /** Uploads the product's retry.csv as soon as it exists or after a delay, once or twice. */
  #downloadRetries(file: PayFile): void {
    const chance = this.#chance;
    const fails = file.rows.some(({ corrected }) => corrected !== undefined);
    if (!chance.happens(fails ? 0.6 : 0.25)) return;
    const waits = chance.happens(0.4);
    this.kinds.add(waits ? 'retry_kept_for_hours' : 'retry_downloaded');
    const isCorrected = chance.happens(0.5);
    const times = this.#has('retry_twice', 0.3) ? 2 : 1;
    for (let time = 1; time <= times; time += 1) {
      const waitsMs = waits ? chance.between(hour, 12 * hour) : chance.between(0, minute);
      const key = `${file.key}.retry-${time}`;
      this.upload(
        { key, rows: [], csv: '', startsInMs: this.#after(file) },
        { retryOf: { key: file.key, waitsMs, isCorrected } },
      );
    }
  }

  several(): boolean {
    return this.#has('several_batches', 0.6);
  }

  outsiders(): Scenario['outsiders'] {
    const chance = this.#chance;
    const rows = this.batches.flatMap((batch) => batch.rows).filter(({ reference }) => reference.startsWith('pay-'));
    const [first, ...others] = rows;
    if (first === undefined || !this.#has('outsiders', 0.07)) return [];
    return [{ row: chance.pick([first, ...others]), afterMs: chance.between(0, 20 * minute) }];
  }

  /** More than all that is owed, about that much, or too little, in one currency or in all. */
  balances(): Scenario['balances'] {
    const chance = this.#chance;
    const rows = this.batches.flatMap((batch) => batch.rows);
    const balances = new Map<string, bigint>();
    for (const currency of ['IDR', 'usdt-tron', 'usdc-polygon']) {
      const asked = rows
        .filter((row) => row.currency === currency)
        .reduce((sum, { amount }) => sum + amount + (fees[currency] ?? 0n), 0n);
      const percent = BigInt(currency === 'IDR' ? chance.pick([300, 300, 100, 30]) : chance.pick([500, 500, 500, 80]));
      balances.set(currency, (asked * percent) / 100n + BigInt(chance.pick([0, 5000])) * million);
    }
    return balances;
  }

  spenders(): Scenario['spenders'] {
    const chance = this.#chance;
    if (!chance.happens(0.08)) return [];
    return [
      {
        afterMs: chance.between(0, 30 * minute),
        currency: chance.pick(this.#currencies),
        percent: BigInt(chance.int(10, 90)),
      },
    ];
  }
}

/** Corrects a wrong destination. */
const correct = ({ corrected, ...row }: TypedRow): TypedRow => {
  if (corrected === undefined) return row;
  const { reference, amount, currency, note } = row.cells;
  const cells = {
    ...cellsOf(corrected),
    reference: reference ?? '',
    amount: amount ?? '',
    currency: currency ?? '',
    note: note ?? '',
  };
  return { ...row, destination: corrected, cells };
};

/**
 * Draws a run from its debts: who is owed what, then the files that pay it, then people's acts on these files. Written
 * independently of the generator in scenario.ts.
 */
export const drawSecondWorkload = (chance: Chance): Workload => {
  const books = new Bookkeeper(chance);
  const count = books.several() ? chance.int(2, 3) : 1;
  const isAtOnce = chance.happens(0.3);
  const earlier: Owed[] = [];
  const files: PayFile[] = [];
  for (let index = 0; index < count; index += 1) {
    const { file, owed } = books.draw(earlier, chance.between(0, isAtOnce ? 2 * second : hour));
    earlier.push(...owed);
    files.push(file);
    books.upload(file);
  }
  for (const file of files) books.handle(file);
  return {
    batches: books.batches,
    balances: books.balances(),
    outsiders: books.outsiders(),
    spenders: books.spenders(),
    isRush: false,
    kinds: books.kinds,
  };
};
