import type { BatchMeasure } from './batch-run/measure-batch.ts';
import type { LargeMeasure } from './batch-run/measure-large.ts';
import type { Judged } from './bounds.ts';
import type { FunctionsMeasure } from './cold-start/measure-functions.ts';
import type { ListsMeasure, PageReads } from './lists/measure-lists.ts';
import type { PerThousand } from './metering/per-thousand.ts';
import type { NaiveMeasure } from './naive/measure-naive.ts';
import type { PlanningMeasure } from './planning/measure-planning.ts';
import type { StatusMeasure } from './status/measure-status.ts';

export type Row = readonly string[];

/** Aligns columns to their widest cell: the first to the left, the others, which hold numbers, to the right. */
export const aligned = (rows: readonly Row[]): string => {
  const columns = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const line = (row: Row): string =>
    row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  ');
  return rows.map((row) => `  ${line(row)}`).join('\n');
};

export const number = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 2 });
const dollars = (value: number): string => value.toFixed(4);

export const planningTable = (measured: PlanningMeasure): string =>
  [
    'Planning a payout file',
    aligned([
      ['rows', number(measured.planRows)],
      ['rows a second', number(measured.planRowsPerSecond)],
      ['times a bare csv-parse', number(measured.planVsBareParse)],
      ['peak memory, MB', number(measured.planPeakMb)],
    ]),
  ].join('\n');

const perThousandLines = [
  ['state transitions', 'transitionsPer1000'],
  ['provider requests besides proofs', 'providerRequestsPer1000'],
  ['provider requests for proofs', 'proofRequestsPer1000'],
  ['ledger writes', 'ledgerWritesPer1000'],
  ['DynamoDB write units', 'writeUnitsPer1000'],
  ['DynamoDB read units', 'readUnitsPer1000'],
  ['Lambda invocations', 'invocationsPer1000'],
  ['Lambda milliseconds', 'lambdaMsPer1000'],
  ['S3 writes', 's3WritesPer1000'],
  ['S3 reads', 's3ReadsPer1000'],
] as const satisfies readonly (readonly [string, keyof PerThousand])[];

export const workflowTable = (batch: BatchMeasure, naive: NaiveMeasure): string =>
  [
    'Per 1,000 payouts that settle within half a minute',
    aligned([
      ['', 'this orchestrator', 'one state machine a payout'],
      ...perThousandLines.map(([what, key]) => [what, number(batch[key]), number(naive[key])]),
      ['polls', `${number(batch.sweeps)} of the batch`, `${number(naive.meanPolls)} a payout`],
      ['USD by the AWS price list', dollars(batch.usdPer1000), dollars(naive.usdPer1000)],
    ]),
  ].join('\n');

export const largeTable = ({ large }: LargeMeasure): string =>
  [
    `A file of ${number(large.payouts)} payouts`,
    aligned([
      ['chunks', number(large.chunks)],
      ['seconds to its end', number(large.seconds)],
      ['sweeps', number(large.sweeps)],
      ['peak memory of a sweep, MB', number(large.sweepPeakMb)],
      ...perThousandLines.map(([what, key]) => [`${what}, per 1,000`, number(large[key])]),
      ['USD by the AWS price list, per 1,000', dollars(large.usdPer1000)],
    ]),
  ].join('\n');

/** Number of a bundle's packages that fit on a line. */
const mostPackages = 4;

export const functionsTable = ({ functions }: FunctionsMeasure): string =>
  [
    'Functions',
    aligned([
      ['', 'bundle, KB', 'load, ms', 'times bare, bundled alike', 'times bare, by default', 'most of it, KB'],
      ...functions.map(({ name, bundleKb, initMs, initVsBare, initVsDefaults, contentsKb }) => [
        name,
        number(bundleKb),
        number(initMs),
        number(initVsBare),
        number(initVsDefaults),
        Object.entries(contentsKb)
          .slice(0, mostPackages)
          .map(([of, kb]) => `${of} ${kb}`)
          .join(', '),
      ]),
    ]),
  ].join('\n');

const readsCell = ({ requests, items }: PageReads): string => `${number(requests)} for ${number(items)}`;

export const listsTable = (measured: ListsMeasure): string => {
  const { list, filteredList, searchedList } = measured.listReads;
  return [
    `Pages of ${number(measured.listRecords)} disbursements from POSTs of one, 100 a page`,
    aligned([
      ['', 'all, ms', 'completed, ms', 'searched, ms', 'all, reads', 'completed, reads', 'searched, reads'],
      [
        'page 1',
        number(measured.listFirstMs),
        number(measured.filteredListFirstMs),
        number(measured.searchedListFirstMs),
        readsCell(list.First),
        readsCell(filteredList.First),
        readsCell(searchedList.First),
      ],
      [
        'page 500',
        number(measured.listMiddleMs),
        number(measured.filteredListMiddleMs),
        number(measured.searchedListMiddleMs),
        readsCell(list.Middle),
        readsCell(filteredList.Middle),
        readsCell(searchedList.Middle),
      ],
      [
        'last page',
        number(measured.listLastMs),
        number(measured.filteredListLastMs),
        number(measured.searchedListLastMs),
        readsCell(list.Last),
        readsCell(filteredList.Last),
        readsCell(searchedList.Last),
      ],
      [
        'last times first',
        number(measured.listLastVsFirst),
        number(measured.filteredListLastVsFirst),
        number(measured.searchedListLastVsFirst),
        '',
        '',
        '',
      ],
    ]),
  ].join('\n');
};

export const statusTable = (measured: StatusMeasure): string =>
  [
    `The status of a batch of ${number(measured.statusChunks)} chunks`,
    aligned([
      ['read units of the first request', number(measured.statusReadUnits)],
      ['read units, within five seconds', number(measured.statusReadUnitsAgain)],
      ['milliseconds, reads not counted', number(measured.statusMs)],
    ]),
  ].join('\n');

export const boundsTable = (judged: readonly Judged[]): string =>
  [
    'Bounds',
    aligned([
      ['', 'measured', 'at most', ''],
      ...judged.map(({ what, measured, most, met }) => [
        what,
        most < 1 ? dollars(measured) : number(measured),
        most < 1 ? dollars(most) : number(most),
        met ? 'met    ' : 'NOT MET',
      ]),
    ]),
  ].join('\n');
