import type { Chance } from '../../support/chance.ts';
import { day, hour, minute, second } from '../../support/durations.ts';
import type { Correction, MeantBatch, Scenario } from './scenario.ts';

/** Share of the files with bad rows that someone corrects. */
const correctedFiles = 0.8;
/** Share of those files that a bad row refuses whole. */
const refusedFiles = 0.35;
/** Share of runs in which corrections wait until the search for repeated debts no longer covers them. */
const lateRuns = 0.4;
/** Longer than anything that other people do with a file. */
export const lateWindowDays = 3;

/** Ways to handle a file to correct. */
export const correctionKinds = [
  'refused',
  'once',
  'twice_at_once',
  'twice_later',
  'in_parts',
  'bad_rows',
  'again_unmended',
  'late',
  'paid_row',
  'paid_row_besides',
  'elsewhere',
  'same_content',
] as const;
export type CorrectionKind = (typeof correctionKinds)[number];

interface Clerk extends Correction {
  /** When someone first looks for a file to correct. */
  readonly looksInMs: number;
  readonly rejectsBadRows?: boolean;
  readonly allowsSameFile?: boolean;
}

const plain: Pick<Correction, 'part' | 'isElsewhere' | 'leavesOne'> = {
  part: 'whole',
  isElsewhere: false,
  leavesOne: false,
};

/** A clerk may take a paid row of the file by mistake. More often in runs where nothing else finds a late repetition. */
const drawSlip = (chance: Chance, mayBeLate: boolean): Pick<Correction, 'slip'> =>
  chance.happens(mayBeLate ? 0.8 : 0.4) ? { slip: chance.pick(['instead', 'instead', 'besides']) } : {};

/** One or more clerks, each with their own download of one file to correct. */
const drawClerks = (chance: Chance, { key, startsInMs }: MeantBatch, mayBeLate: boolean): readonly Clerk[] => {
  const looksInMs = startsInMs + chance.between(0, chance.pick([second, 10 * minute, hour]));
  const waits = (): number =>
    mayBeLate && chance.happens(0.8)
      ? lateWindowDays * day + chance.between(hour, 2 * day)
      : chance.between(0, chance.pick([2 * second, 10 * minute, 5 * hour]));
  const own = (): Clerk => ({ key, looksInMs, waitsMs: waits(), ...plain });
  const part = (): Pick<Correction, 'part'> => ({ part: chance.pick(['whole', 'bad', 'bad']) });
  const rejects = () => (chance.happens(0.3) ? { rejectsBadRows: true } : {});
  switch (chance.pick(['once', 'once', 'at once', 'later', 'parts', 'unmended', 'same'] as const)) {
    case 'once':
      return [{ ...own(), ...drawSlip(chance, mayBeLate) }];
    case 'at once': {
      const waitsMs = waits();
      const other = { isElsewhere: chance.happens(0.7), ...part(), waitsMs: waitsMs + chance.between(0, 2 * second) };
      return [
        { ...own(), waitsMs },
        { ...own(), ...other },
      ];
    }
    case 'later':
      return [
        { ...own(), waitsMs: chance.between(0, 10 * minute) },
        { ...own(), isElsewhere: chance.happens(0.6), ...part(), ...drawSlip(chance, mayBeLate) },
      ];
    case 'parts': {
      const whole: Clerk = { ...own(), isElsewhere: chance.happens(0.5) };
      return [{ ...own(), part: 'odd' }, { ...own(), part: 'even' }, ...(chance.happens(0.3) ? [whole] : [])];
    }
    case 'unmended':
      return [
        { ...own(), leavesOne: true, ...rejects() },
        { ...own(), key: `${key}.correction-1`, isElsewhere: chance.happens(0.3), ...drawSlip(chance, mayBeLate) },
      ];
    case 'same':
      return [own(), { ...own(), ...(chance.happens(0.7) ? { allowsSameFile: true } : {}) }];
  }
};

const kindsOf = (parent: MeantBatch, clerks: readonly Clerk[]): readonly CorrectionKind[] => {
  const [one, other] = clerks;
  const kinds: Readonly<Record<CorrectionKind, boolean>> = {
    refused: parent.rejectsBadRows === true,
    once: clerks.length === 1,
    twice_at_once: one !== undefined && other !== undefined && Math.abs(one.waitsMs - other.waitsMs) <= 2 * second,
    twice_later: one !== undefined && other !== undefined && other.waitsMs - one.waitsMs > 10 * minute,
    in_parts: clerks.some(({ part }) => part === 'odd'),
    bad_rows: parent.rejectsBadRows === true && clerks.some(({ part }) => part === 'bad'),
    again_unmended: clerks.some(({ leavesOne }) => leavesOne),
    late: clerks.some(({ waitsMs }) => waitsMs > lateWindowDays * day),
    paid_row: clerks.some(({ slip }) => slip === 'instead'),
    paid_row_besides: clerks.some(({ slip }) => slip === 'besides'),
    elsewhere: clerks.some(({ isElsewhere }) => isElsewhere),
    same_content: clerks.some(({ allowsSameFile }) => allowsSameFile === true),
  };
  return correctionKinds.filter((kind) => kinds[kind]);
};

/** A batch whose file is made later, from the rows that its original skipped. */
const batchOf = (parent: MeantBatch, clerk: Clerk, n: number): MeantBatch => {
  const { looksInMs, rejectsBadRows, allowsSameFile, ...corrects } = clerk;
  return {
    key: `${parent.key}.correction-${n}`,
    rows: [],
    csv: '',
    startsInMs: looksInMs,
    isToBeApproved: false,
    isStartedTwice: false,
    acts: [],
    overwritten: undefined,
    corrects,
    ...(rejectsBadRows === undefined ? {} : { rejectsBadRows }),
    ...(allowsSameFile === undefined ? {} : { allowsSameFile }),
  };
};

export type Corrected = Scenario & { readonly corrections: ReadonlySet<CorrectionKind> };

/** Adds corrections of the files that have bad rows: by one clerk or several, concurrent or late, with mistakes. */
export const withCorrections = (drawn: Scenario, chance: Chance): Corrected => {
  const { odd: _, slow, held } = drawn.terms.fortunes;
  // Payments that take days would let other repetitions leave the window too.
  const mayBeLate = slow + held === 0 && !drawn.isReconciled && chance.fork('late').happens(lateRuns);
  const kinds = new Set<CorrectionKind>();
  const batches = drawn.batches.flatMap((batch) => {
    const own = chance.fork(`corrections of ${batch.key}`);
    const isOriginal = batch.key.endsWith('.csv') && batch.rows.some(({ isFlawed }) => isFlawed);
    if (!isOriginal || !own.happens(correctedFiles)) return [batch];
    const parent = own.happens(refusedFiles) ? { ...batch, rejectsBadRows: true } : batch;
    const clerks = drawClerks(own, parent, mayBeLate);
    for (const kind of kindsOf(parent, clerks)) kinds.add(kind);
    return [parent, ...clerks.map((clerk, index) => batchOf(parent, clerk, index + 1))];
  });
  const settings =
    mayBeLate && kinds.size > 0 ? { ...drawn.settings, duplicateWindowDays: lateWindowDays } : drawn.settings;
  return { ...drawn, batches, settings, corrections: kinds };
};
