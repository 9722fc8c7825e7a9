import type { Disbursement } from '../../domain/disbursements/disbursement.ts';
import type { ReadPorts } from '../get-all.ts';
import { getAll } from '../get-all.ts';
import { isDisbursementKey, keys } from '../keys.ts';
import { queryAll } from '../query-all.ts';
import type { Table } from '../table.ts';
import type { CommittedGroup } from './disbursement-item.ts';
import { readDisbursementItem, readGroupItem } from './disbursement-item.ts';

/** Disbursements of a group from one place to another, both included, counted from 0. */
export interface GroupPart {
  readonly groupId: string;
  readonly first: number;
  readonly last: number;
}

type Item = Record<string, unknown>;

/** Up to so many keys of a group are asked for singly, together with those of other groups; more by a query. */
const fewKeys = 4;
const queriesAtOnce = 10;

const queryPart = (table: Table, part: GroupPart): Promise<readonly Item[]> => {
  const from = keys.disbursement(part.groupId, part.first);
  const to = keys.disbursement(part.groupId, part.last);
  return queryAll(table, from.pk, { from: from.sk, to: to.sk });
};

const inTurns = async <T, R>(all: readonly T[], atOnce: number, run: (one: T) => Promise<R>): Promise<readonly R[]> => {
  const results: R[] = [];
  for (let start = 0; start < all.length; start += atOnce) {
    results.push(...(await Promise.all(all.slice(start, start + atOnce).map(run))));
  }
  return results;
};

const placesOf = ({ first, last }: GroupPart): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

const keyOf = (pk: string, sk: string): string => `${pk} ${sk}`;

/** Reads parts of committed groups, their disbursements in the order of the parts and by place within. */
export const readParts = async (ports: ReadPorts, parts: readonly GroupPart[]): Promise<readonly Disbursement[]> => {
  const isSmall = (part: GroupPart): boolean => part.last - part.first < fewKeys;
  const single = [
    // A group may have several parts here, and no key may be asked for twice.
    ...[...new Set(parts.map((part) => part.groupId))].map(keys.group),
    ...parts.filter(isSmall).flatMap((part) => placesOf(part).map((place) => keys.disbursement(part.groupId, place))),
  ];
  const [got, queried] = await Promise.all([
    getAll(ports, single),
    inTurns(
      parts.filter((part) => !isSmall(part)),
      queriesAtOnce,
      (part) => queryPart(ports.table, part),
    ),
  ]);
  const groups = new Map<string, CommittedGroup>();
  const items = new Map<string, Item>();
  for (const item of [...got, ...queried.flat()]) {
    const sk = String(item['sk']);
    if (isDisbursementKey(sk)) {
      items.set(keyOf(String(item['pk']), sk), item);
      continue;
    }
    const group = readGroupItem(item);
    if (group.state === 'committed') groups.set(group.groupId, group);
  }
  return parts.flatMap((part) => {
    const group = groups.get(part.groupId);
    if (group === undefined) return [];
    return placesOf(part).flatMap((place) => {
      const { pk, sk } = keys.disbursement(part.groupId, place);
      const item = items.get(keyOf(pk, sk));
      return item === undefined ? [] : [readDisbursementItem(group, item)];
    });
  });
};
