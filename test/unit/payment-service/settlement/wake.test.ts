import { expect, it } from 'vitest';
import { wakeUnfinished } from '../../../../functions/payment-service/settlement/wake.ts';

/** Lists by list and status, each member a group of its own; pages are as long as they are asked for. */
const lists = (groups: Readonly<Record<string, readonly string[]>>) => {
  const woken: string[] = [];
  const asked: string[] = [];
  return {
    woken,
    asked,
    ports: {
      readList: async (list: 'fiat' | 'crypto' | 'deposit', { filter, page }: Parameters<Ports['readList']>[1]) => {
        asked.push(`${list} ${filter.status}`);
        const all = groups[`${list} ${filter.status}`] ?? [];
        const members = all.slice((page.page - 1) * page.limit, page.page * page.limit);
        return { total: all.length, members: members.map((groupId) => ({ groupId, position: 0 })) };
      },
      wakeGroup: async (groupId: string) => {
        woken.push(groupId);
      },
      wakeDeposit: async (depositId: string) => {
        woken.push(`deposit ${depositId}`);
      },
    },
  };
};

type Ports = Parameters<typeof wakeUnfinished>[0];

it('every group and deposit with something left to do is woken once, whatever its statuses', async () => {
  const { ports, woken } = lists({
    'fiat pending': ['a', 'a', 'b'],
    'fiat completed': ['rests'],
    'crypto pending': ['c'],
    'crypto processed': ['c', 'd'],
    'crypto pending_retry': ['e'],
    'crypto need_check': ['rests'],
    'deposit pending': ['f'],
    'deposit expired': ['rests'],
  });
  await wakeUnfinished(ports);
  expect(woken.toSorted()).toEqual(['a', 'b', 'c', 'd', 'deposit f', 'e']);
});

it('what has ended is not even read', async () => {
  const { ports, asked } = lists({});
  await wakeUnfinished(ports);
  expect(asked).toEqual([
    'fiat pending',
    'crypto pending',
    'crypto pending_retry',
    'crypto processed',
    'deposit pending',
  ]);
});

it('a list longer than a page is read to its end', async () => {
  const many = Array.from({ length: 2500 }, (_, index) => `g${index}`);
  const { ports, woken } = lists({ 'fiat pending': many });
  await wakeUnfinished(ports);
  expect(woken).toEqual(many);
});
