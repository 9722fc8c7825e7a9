import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import type { DisbursementFilter } from '../../../functions/payment-service/domain/disbursements/disbursement-filter.ts';
import type { SortOrder } from '../../../functions/payment-service/domain/lists/page.ts';
import { readDisbursementPage } from '../../../functions/payment-service/store/disbursements/read-disbursement-page.ts';
import type { Table } from '../../../functions/payment-service/store/table.ts';
import { LocalAwsSetup } from '../../../infra/local/aws/bring-up.ts';
import { localFolder } from '../../../infra/local/paths.ts';
import { newContext } from '../../support/payment-service/new-context.ts';
import { makeServiceTable } from '../../support/payment-service/service-table.ts';
import { freePort } from '../../support/servers/free-port.ts';
import { median } from '../averages.ts';
import { seedLists } from './seed-lists.ts';

/** DynamoDB reads for one page. */
export interface PageReads {
  readonly requests: number;
  readonly items: number;
}

export interface ListsMeasure {
  readonly listRecords: number;
  /** Median milliseconds of page 1, page 500 and the last page, 100 records a page. */
  readonly listFirstMs: number;
  readonly listMiddleMs: number;
  readonly listLastMs: number;
  readonly listLastVsFirst: number;
  /** The same for completed records, two of three. */
  readonly filteredListFirstMs: number;
  readonly filteredListMiddleMs: number;
  readonly filteredListLastMs: number;
  readonly filteredListLastVsFirst: number;
  /** The same for completed records with the common amount, last changed first. */
  readonly searchedListFirstMs: number;
  readonly searchedListMiddleMs: number;
  readonly searchedListLastMs: number;
  readonly searchedListLastVsFirst: number;
  readonly listReads: Readonly<Record<ListKind, Readonly<Record<PageName, PageReads>>>>;
}

const kinds = ['list', 'filteredList', 'searchedList'] as const;
type ListKind = (typeof kinds)[number];
const pageNames = ['First', 'Middle', 'Last'] as const;
type PageName = (typeof pageNames)[number];

const records = 100_000;
const limit = 100;
const middlePage = 500;
const turns = 15;
const accountId = 'bench';

interface Question {
  readonly filter: DisbursementFilter;
  readonly sort: SortOrder;
}

const asCreated: SortOrder = { order: 'created', descending: false };

const questions: Readonly<Record<ListKind, Question>> = {
  list: { filter: {}, sort: asCreated },
  filteredList: { filter: { status: 'completed' }, sort: asCreated },
  searchedList: { filter: { status: 'completed', amount: '1' }, sort: { order: 'changed', descending: true } },
};

const answered = z.object({
  Items: z.array(z.unknown()).default([]),
  Responses: z.record(z.string(), z.array(z.unknown())).default({}),
});

/** Counts the reads of a table. */
const counting = (table: Table): { readonly table: Table; readonly reads: () => PageReads } => {
  let reads = { requests: 0, items: 0 };
  table.client.middlewareStack.add(
    (next) => async (request) => {
      const answer = await next(request);
      const { Items, Responses } = answered.parse(answer.output);
      const items = Items.length + Object.values(Responses).flat().length;
      reads = { requests: reads.requests + 1, items: reads.items + items };
      return answer;
    },
    { step: 'initialize', name: 'count' },
  );
  return {
    table,
    reads: () => {
      const now = reads;
      reads = { requests: 0, items: 0 };
      return now;
    },
  };
};

interface PageMeasure {
  readonly kind: ListKind;
  readonly name: PageName;
  readonly page: number;
  readonly shown: number;
  readonly milliseconds: number[];
  reads: PageReads;
}

const timePages = async (plain: Table): Promise<readonly PageMeasure[]> => {
  const { table, reads } = counting(plain);
  const context = newContext({ table, accountId });
  const read = (kind: ListKind, page: number) =>
    readDisbursementPage(context, { rail: 'crypto', ...questions[kind], page: { page, limit } });
  const measures: PageMeasure[] = [];
  for (const kind of kinds) {
    const { total } = await read(kind, 1);
    const last = Math.ceil(total / limit);
    const pages = { First: 1, Middle: middlePage, Last: last };
    for (const name of pageNames) {
      const page = pages[name];
      const shown = Math.min(limit, total - (page - 1) * limit);
      measures.push({ kind, name, page, shown, milliseconds: [], reads: { requests: 0, items: 0 } });
    }
  }
  for (let turn = 0; turn < turns; turn += 1) {
    for (const measure of measures) {
      reads();
      const start = performance.now();
      const { docs } = await read(measure.kind, measure.page);
      measure.milliseconds.push(performance.now() - start);
      measure.reads = reads();
      if (docs.length !== measure.shown) throw new Error(`page ${measure.page} shows ${docs.length} records`);
    }
  }
  return measures;
};

/**
 * Fills a table on a local AWS of its own with 100,000 disbursements, each from a POST of its own. Reads pages in turns, through
 * the function that the list endpoint calls.
 */
export const measureLists = async (say: (line: string) => void): Promise<ListsMeasure> => {
  const folder = path.join(localFolder, 'bench-lists');
  const setup = new LocalAwsSetup({ port: await freePort(), folder, waitScale: 1 });
  try {
    await setup.install(say);
    say('Starting a local AWS');
    await setup.start();
    const table = await makeServiceTable('lists');
    say(`Filling a table with ${records.toLocaleString('en-US')} disbursements`);
    const sizes = Array.from({ length: records }, () => 1);
    await seedLists(table, accountId, sizes, (index) => (index % 3 === 2 ? 'pending' : 'completed'), say);
    await wait(2000);
    say('Reading pages by turns');
    const measures = await timePages(table);
    const of = (kind: ListKind, name: PageName): PageMeasure => {
      const found = measures.find((one) => one.kind === kind && one.name === name);
      if (found === undefined) throw new Error(`${kind}${name} was not measured`);
      return found;
    };
    const ms = (kind: ListKind, name: PageName): number => median(of(kind, name).milliseconds);
    const readsOf = (kind: ListKind) => ({
      First: of(kind, 'First').reads,
      Middle: of(kind, 'Middle').reads,
      Last: of(kind, 'Last').reads,
    });
    return {
      listRecords: records,
      listFirstMs: ms('list', 'First'),
      listMiddleMs: ms('list', 'Middle'),
      listLastMs: ms('list', 'Last'),
      listLastVsFirst: ms('list', 'Last') / ms('list', 'First'),
      filteredListFirstMs: ms('filteredList', 'First'),
      filteredListMiddleMs: ms('filteredList', 'Middle'),
      filteredListLastMs: ms('filteredList', 'Last'),
      filteredListLastVsFirst: ms('filteredList', 'Last') / ms('filteredList', 'First'),
      searchedListFirstMs: ms('searchedList', 'First'),
      searchedListMiddleMs: ms('searchedList', 'Middle'),
      searchedListLastMs: ms('searchedList', 'Last'),
      searchedListLastVsFirst: ms('searchedList', 'Last') / ms('searchedList', 'First'),
      listReads: {
        list: readsOf('list'),
        filteredList: readsOf('filteredList'),
        searchedList: readsOf('searchedList'),
      },
    };
  } finally {
    await setup.stop();
    await rm(folder, { recursive: true, force: true });
  }
};
