import type { Chance } from '../support/chance.ts';
import { chanceOf } from '../support/chance.ts';
import type { Break, Whole } from './breaks.ts';
import { breaks } from './breaks.ts';
import type { Damaged, Fault } from './faults.ts';
import { faults } from './faults.ts';
import type { Cells } from './good-rows.ts';
import { drawGoodRow } from './good-rows.ts';
import type { Offer } from './offers.ts';
import type { Style, TypedRow } from './write-rows.ts';
import { bytesOf, drawStyle, encoded, packed, written } from './write-rows.ts';
import { writeWorkbook } from './write-workbook.ts';

/** The author's view of a row. */
export interface DrawnRow {
  /** From 1. */
  readonly row: number;
  /** The row as meant, before any damage. */
  readonly cells: Cells;
  /** The text of its cells after the damage. */
  readonly written: Cells;
  /** The damage. Undefined for a good row. */
  readonly fault: Fault | undefined;
  /** True when it repeats the debt of an earlier good row. */
  readonly isRepeat: boolean;
}

export interface DrawnFile {
  readonly seed: number;
  readonly bytes: Buffer;
  readonly style: Style;
  readonly rows: readonly DrawnRow[];
  /** Why the file cannot be read. Undefined for a whole file. */
  readonly broken: Break | undefined;
}

export interface FileTerms {
  readonly offers: readonly [Offer, ...Offer[]];
  readonly mostRows: number;
  /** See RowTerms. */
  readonly isSandbox: boolean;
  /** Gives the file of a seed other references and recipients. */
  readonly salt: string;
}

interface Draft extends TypedRow {
  readonly offer: Offer;
  readonly meant: Cells;
  fault?: Fault;
  readonly isRepeat: boolean;
}

/** A fault that fits the row and the format. JSON Lines need a good object first, because it identifies the format. */
const drawFault = (damaged: Damaged, { format }: Style, isFirst: boolean): Fault | undefined => {
  const { chance } = damaged;
  const [first, ...others] = faults.filter(
    ({ formats = [format], fits = () => true, code }) =>
      formats.includes(format) &&
      fits(damaged) &&
      !(isFirst && format === 'lines' && ['json_not_objects', 'malformed_json'].includes(code)),
  );
  return first === undefined ? undefined : chance.pick([first, ...others]);
};

/** A row that repeats another one's debt without a reference. Letter case does not distinguish EVM addresses. */
const repeatOf = (chance: Chance, { offer, meant }: Draft): Draft => {
  const { reference: _, note: __, amount = '', walletAddress, ...rest } = meant;
  const wallet = walletAddress?.startsWith('0x') ? walletAddress.toLowerCase() : walletAddress;
  const cells = {
    ...rest,
    ...(wallet === undefined ? {} : { walletAddress: wallet }),
    amount: chance.pick([amount, `0${amount}`]),
  };
  return { offer, meant: cells, cells: { ...cells }, isRepeat: true };
};

const drawRows = (chance: Chance, seed: number, style: Style, terms: FileTerms): readonly Draft[] => {
  const count = chance.pick([1, 2, 3, 5, 8, 13, 21]);
  const damagedShare = chance.pick([0, 0.15, 0.4, 1]);
  const hasReferences = chance.happens(0.7);
  const hasRepeats = chance.happens(0.15);
  const drafts: Draft[] = [];
  for (let index = 0; index < count; index += 1) {
    const rowSeed = `${terms.salt} ${seed} ${index}`;
    const good = drafts.filter(({ fault, isRepeat }) => fault === undefined && !isRepeat);
    const [first, ...others] = good;
    if (hasRepeats && first !== undefined && chance.happens(0.3)) {
      drafts.push(repeatOf(chance, chance.pick([first, ...others])));
      continue;
    }
    const { offer, cells } = drawGoodRow(chance, { ...terms, seed: rowSeed, hasReferences });
    const draft: Draft = { offer, meant: cells, cells: { ...cells }, isRepeat: false };
    drafts.push(draft);
    if (!chance.happens(damagedShare)) continue;
    const taken = good.flatMap(({ meant }) => meant.reference ?? []);
    const damaged: Damaged = { chance, row: draft, offer, offers: terms.offers, seed: rowSeed, taken };
    const fault = drawFault(damaged, style, index === 0);
    if (fault === undefined) continue;
    fault.damage(damaged);
    draft.fault = fault;
  }
  return drafts;
};

const drawBreak = (whole: Whole): Break => {
  const { chance, style } = whole;
  const [first, ...others] = breaks.filter(
    ({ formats = [style.format], fits = () => true }) => formats.includes(style.format) && fits(whole),
  );
  if (first === undefined) throw new Error('no break fits the file');
  return chance.pick([first, ...others]);
};

/** The file of a seed. */
export const drawFile = (seed: number, terms: FileTerms): DrawnFile => {
  const chance = chanceOf(seed);
  const drawn = drawStyle(chance);
  const isBroken = chance.happens(0.4);
  const drafts = drawRows(chance, seed, drawn, terms);
  // Without a line end, an unparsable last row would count as a break of the file.
  const isOdd = drafts.at(-1)?.csv !== undefined || drafts.at(-1)?.json !== undefined;
  const style = isOdd ? { ...drawn, endsLine: true } : drawn;
  const pieces = written(chance, drafts, style);
  const bytes = style.format === 'xlsx' ? writeWorkbook(chance, drafts) : bytesOf(pieces.join(''), style);
  const wrapped = packed(bytes, style.gzip);
  const rows = drafts.map(({ meant, cells: damaged, fault, isRepeat }, index) => ({
    ...{ row: index + 1, cells: meant, written: damaged, fault, isRepeat },
  }));
  if (!isBroken) return { seed, bytes: wrapped, style, rows, broken: undefined };
  const whole = { chance, pieces, style, bytes, packed: wrapped, mostRows: terms.mostRows };
  const broken = drawBreak(whole);
  const made = broken.make(whole);
  return { seed, bytes: typeof made === 'string' ? encoded(made) : made, style, rows, broken };
};
