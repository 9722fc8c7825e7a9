import type { RailTraits } from '../../../functions/ports/provider.ts';
import type { Chance } from '../../support/chance.ts';
import { minute } from '../../support/durations.ts';
import type { MeantBatch, Scenario, Span } from '../draw/scenario.ts';
import { drawBalances, drawBalancesForOne, drawTightBalances } from '../draw/scenario.ts';
import { calm } from './storms.ts';
import { watchEveryMs } from './watch.ts';

/** Share of runs for each of the stories. */
const storyRuns = 0.04;

/** The changes that a story makes to the drawn scenario. */
type Story = (drawn: Scenario, chance: Chance) => Partial<Scenario>;

/** Enough money, and no limits, so batches pay soon. */
const unhindered = ({ balances, settings }: Scenario): Pick<Scenario, 'balances' | 'settings'> => ({
  balances: new Map([...balances.keys()].map((currency) => [currency, 1_000_000_000_000n])),
  settings: { ...settings, approval: 'findings', approvalAbove: {}, maxDayAmount: {}, maxBatchAmount: {} },
});

/** The same provider, but refusing a used fiat reference for other hours. */
const withUniqueFiat = (
  traits: Scenario['traits'],
  referenceUniqueHours: RailTraits['referenceUniqueHours'],
): Scenario['traits'] => ({
  ...traits,
  rails: { ...traits.rails, fiat: { ...traits.rails.fiat, referenceUniqueHours } },
});

/** A provider that hides bank transfers for hours and refuses their references. */
const hiding = (drawn: Scenario): Pick<Scenario, 'balances' | 'settings' | 'traits' | 'terms'> => {
  const { balances, settings } = unhindered(drawn);
  return {
    balances,
    settings,
    traits: withUniqueFiat(drawn.traits, 'forever'),
    terms: { ...drawn.terms, refusesFiatReference: true, promisesUnique: true, uniqueHours: 'forever', fiatHidden: 1 },
  };
};

/** Others have paid under the files' references, and the provider mentions that only after a long list of other faults. */
const refusedAtLength: Story = (drawn, chance) => {
  const { terms, settings, traits, balances } = hiding(drawn);
  const outsiders = drawn.batches.flatMap(({ rows, startsInMs }) =>
    rows
      .filter(({ currency, reference }) => currency === 'IDR' && reference !== '')
      .filter((_, index) => index % 2 === 0)
      .map((row) => ({ row, afterMs: Math.max(0, startsInMs - chance.between(0, 10 * minute)) })),
  );
  const takenWords = `disburseData: ${'note should be shorter; '.repeat(20)}reference exists`;
  return {
    settings: { ...settings, equalRefusals: 3 },
    traits: { ...traits, payoutsPerCall: 1 },
    terms: { ...terms, takenWords },
    balances,
    outsiders,
    storm: { strikes: [], post: undefined },
  };
};

/** Calls get no answer and their payments are hidden. Someone pauses the batches and cancels them hours later. */
const canceledInDoubt: Story = (drawn, chance) => {
  const acts = (): MeantBatch['acts'] => [
    { afterMs: chance.between(minute, 12 * minute), act: 'pause' },
    { afterMs: chance.between(20 * minute, 180 * minute), act: 'cancel' },
  ];
  return {
    ...hiding(drawn),
    batches: drawn.batches.map((batch) => ({ ...batch, acts: acts() })),
    isLeftPaused: true,
    storm: { strikes: [], post: { fault: 'work_after_timeout', probability: 0.8 } },
  };
};

/** A step dies after it locks a currency pair and before it claims the conversion. */
const lockLeft: Story = (drawn, chance) => ({
  balances: drawBalances(chance, drawn.batches, true),
  isWatched: true,
  storm: {
    strikes: [{ ...calm, function: 'Convert', place: 'write LOCK', crash: { before: 0, after: 0.8 } }],
    post: undefined,
  },
});

/** A failed payment completes hours later, while its retry waits for approval. */
const endTakenBack: Story = (drawn, chance) => {
  const { terms, batches } = drawn;
  const retryOf = (batch: MeantBatch): MeantBatch => ({
    ...batch,
    key: `${batch.key}.approved-retry`,
    rows: [],
    csv: '',
    isToBeApproved: true,
    overwritten: undefined,
    retryOf: { key: batch.key, waitsMs: chance.between(0, 10 * minute), isCorrected: false },
  });
  return {
    ...unhindered(drawn),
    terms: { ...terms, fortunes: { ...terms.fortunes, takenBack: 0.8 } },
    batches: batches.flatMap((batch) =>
      batch.retryOf === undefined && batch.corrects === undefined ? [batch, retryOf(batch)] : [batch],
    ),
  };
};

/** The batches, those with bank transfers first. Only these may need a conversion. */
const bankPayersFirst = (batches: readonly MeantBatch[]): readonly MeantBatch[] => {
  const paysBanks = ({ rows }: MeantBatch): boolean => rows.some(({ currency }) => currency === 'IDR');
  return batches.toSorted((one, other) => Number(paysBanks(other)) - Number(paysBanks(one)));
};

/** Tokens for one conversion at the planned rate. The actual rate is a little worse, within the slippage. */
const rateSinks: Story = (drawn, chance) => {
  const [first, ...rest] = bankPayersFirst(drawn.batches);
  const batches = first === undefined ? rest : [{ ...first, acts: [] }];
  return {
    ...unhindered(drawn),
    batches,
    balances: drawTightBalances(chance, batches, [10_001, 10_030]),
    terms: { ...drawn.terms, charged: 100n, feeFactor: 1n, drifts: [10_000n, 9_950n] },
    spenders: [],
    storm: { strikes: [], post: undefined },
  };
};

/** Someone resumes batches that wait for their start time. They must not pay early. */
const resumedAtRest: Story = (drawn, chance) => ({
  ...unhindered(drawn),
  batches: drawn.batches.map((batch) => ({
    ...batch,
    restsMs: chance.between(30 * minute, 180 * minute),
    acts: [{ afterMs: chance.between(10_000, 25 * minute), act: chance.happens(0.2) ? 'cancel' : 'resume' }],
  })),
});

/** Batches are due just before the watch runs. Some of their schedules have not run by then. */
const dueAtALook: Story = (drawn, chance) => ({
  ...unhindered(drawn),
  batches: drawn.batches.map((batch) => {
    const look = Math.ceil((batch.startsInMs + chance.between(5, 30) * minute) / watchEveryMs) * watchEveryMs;
    return { ...batch, acts: [], restsMs: look - chance.between(1000, 40_000) - batch.startsInMs };
  }),
  isWatched: true,
});

/** Rows are refused while the batches are paused. Hours later they are resumed, with too many rows unpaid. */
const unpaidWhilePaused: Story = (drawn, chance) => ({
  ...unhindered(drawn),
  traits: { ...drawn.traits, payoutsPerCall: 1 },
  batches: drawn.batches.map((batch) => ({
    ...batch,
    pauseAbove: 0,
    acts: [{ afterMs: chance.between(3000, 60_000), act: 'pause' as const }],
  })),
  submitsAtOnce: 1,
  isLeftPaused: true,
});

/** Calls get no answer and their payments are hidden. Someone pauses the batches beyond the protection of their references. */
const forgottenWhilePaused: Story = (drawn, chance) => {
  const { terms, traits, ...of } = hiding(drawn);
  return {
    ...of,
    traits: withUniqueFiat(traits, 1),
    terms: { ...terms, uniqueHours: 1 },
    batches: drawn.batches.map((batch) => ({
      ...batch,
      acts: [{ afterMs: chance.between(minute, 12 * minute), act: 'pause' as const }],
    })),
    isLeftPaused: true,
    storm: { strikes: [], post: { fault: 'work_after_timeout', probability: 0.8 } },
  };
};

/** The first batch has all the money it needs. The others start within the span and lack some, but have tokens to convert. */
const shortBesideFirst = (
  drawn: Scenario,
  chance: Chance,
  { fromMs, toMs }: Span,
): Pick<Scenario, 'settings' | 'terms' | 'batches' | 'balances' | 'spenders'> => {
  const [first, ...rest] = bankPayersFirst(drawn.batches);
  const later = rest.map((batch) => ({ ...batch, startsInMs: chance.between(fromMs, toMs) }));
  const batches = [...(first === undefined ? [] : [{ ...first, startsInMs: 0 }]), ...later];
  return {
    settings: unhindered(drawn).settings,
    terms: { ...drawn.terms, charged: 100n, feeFactor: 1n },
    batches: batches.map((batch) => ({ ...batch, acts: [], isToBeApproved: false })),
    balances: drawBalancesForOne(chance, batches),
    spenders: [],
  };
};

/**
 * The first batch's calls get no answer, so until their payments are found the others cannot know whether that money has left the
 * balance.
 */
const shortBesideDoubt: Story = (drawn, chance) => {
  const { traits, terms } = hiding(drawn);
  return {
    ...shortBesideFirst({ ...drawn, terms }, chance, { fromMs: 10_000, toMs: 15 * minute }),
    traits,
    storm: { strikes: [], post: { fault: 'drop_after', probability: 0.8 } },
  };
};

/** Calls are recorded late. Those of the first batch have paid when the others read the balance. */
const shortBesideCalls: Story = (drawn, chance) => ({
  ...shortBesideFirst(drawn, chance, { fromMs: 0, toMs: minute }),
  traits: { ...drawn.traits, payoutsPerCall: 1 },
  storm: { strikes: [{ ...calm, function: 'SubmitChunk', place: 'write PAYOUT', late: 0.6 }], post: undefined },
});

/** Combinations of provider, people and faults that chance alone gives in one run of hundreds or thousands. */
const stories: readonly Story[] = [
  refusedAtLength,
  canceledInDoubt,
  lockLeft,
  endTakenBack,
  rateSinks,
  resumedAtRest,
  unpaidWhilePaused,
  dueAtALook,
  forgottenWhilePaused,
  shortBesideDoubt,
  shortBesideCalls,
];

/** The scenario as drawn, or changed by a story. */
export const withStory = (drawn: Scenario, chance: Chance): Scenario => {
  const story = stories.at(Math.floor(chance.next() / storyRuns));
  return story === undefined ? drawn : { ...drawn, ...story(drawn, chance) };
};
