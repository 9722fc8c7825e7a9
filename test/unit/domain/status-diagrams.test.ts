import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BatchStatus } from '../../../functions/domain/batch/batch-status.ts';
import { batchStatuses, batchTransitions, isBatchEnd } from '../../../functions/domain/batch/batch-status.ts';
import type { ObservedStatus } from '../../../functions/domain/payout/payout-status.ts';
import {
  isEnd,
  mergeObservation,
  payoutStatuses,
  payoutTransitions,
} from '../../../functions/domain/payout/payout-status.ts';

const documents = ['payout/PAYOUTS.md', 'batch/BATCHES.md']
  .map((name) => readFileSync(new URL(`../../../functions/domain/${name}`, import.meta.url), 'utf8'))
  .join('\n');

/** The arrows `a --> b` of the Mermaid diagram after a heading, without start and end. */
const arrowsUnder = (heading: string): readonly string[] => {
  const section = documents.slice(documents.indexOf(`## ${heading}`));
  const diagram = /```mermaid\n([\s\S]*?)```/.exec(section)?.[1] ?? '';
  return [...diagram.matchAll(/^\s*(\w+) --> (\w+)/gm)].map(([, from, to]) => `${from} --> ${to}`).sort();
};

const endsUnder = (heading: string): readonly string[] => {
  const section = documents.slice(documents.indexOf(`## ${heading}`));
  const diagram = /```mermaid\n([\s\S]*?)```/.exec(section)?.[1] ?? '';
  return [...diagram.matchAll(/^\s*(\w+) --> \[\*\]/gm)].map(([, from]) => from ?? '').sort();
};

/** The statuses in the table that follows a heading. */
const rowsUnder = (heading: string): readonly string[] => {
  const section = documents.slice(documents.indexOf(`## ${heading}`)).split(/^## /m)[1] ?? '';
  return [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, status]) => status ?? '');
};

const arrowsOf = (transitions: Readonly<Record<string, { readonly from: readonly string[]; readonly to: string }>>) =>
  [
    ...new Set(
      Object.values(transitions).flatMap(({ from, to }) =>
        from.filter((each) => each !== to).map((each) => `${each} --> ${to}`),
      ),
    ),
  ].sort();

describe('the documents', () => {
  it('show every move of a payout and no other', () => {
    expect(arrowsUnder('Payout status')).toEqual(arrowsOf(payoutTransitions));
    expect(endsUnder('Payout status')).toEqual(payoutStatuses.filter(isEnd).sort());
  });

  it('explain every status and no other', () => {
    expect(rowsUnder('Payout status').toSorted()).toEqual(payoutStatuses.toSorted());
    expect(rowsUnder('Batch status').toSorted()).toEqual(batchStatuses.toSorted());
  });

  it('show every move of a batch and no other', () => {
    expect(arrowsUnder('Batch status')).toEqual(arrowsOf(batchTransitions));
    expect(endsUnder('Batch status')).toEqual(batchStatuses.filter(isBatchEnd).sort());
  });
});

it('a batch can reach every status', () => {
  const reached = new Set<BatchStatus>(['accepted']);
  for (const status of reached) {
    for (const { from, to } of Object.values(batchTransitions)) if (from.some((one) => one === status)) reached.add(to);
  }
  expect([...reached].toSorted()).toEqual(batchStatuses.toSorted());
});

const observed = fc.constantFrom<ObservedStatus>('pending', 'on_hold', 'completed', 'failed', 'canceled');
const posted = payoutStatuses.filter((status) => status !== 'ready');
const status = fc.constantFrom(...posted);

describe('merging observations', () => {
  it('never changes an end, and moves only as a transition allows', () => {
    fc.assert(
      fc.property(status, observed, (current, seen) => {
        const merge = mergeObservation(current, seen);
        if (isEnd(current)) expect(merge.kind).not.toBe('move');
        const leavesFrom = merge.kind === 'move' ? merge.transition.from : [current];
        expect(leavesFrom).toContain(current);
        expect(merge.kind === 'move' ? merge.transition.to : seen).toBe(seen);
      }),
    );
  });

  it('reaches the same end in any order of observations', () => {
    const open = fc.constantFrom<'submitting' | 'unknown' | 'quarantined' | 'pending' | 'on_hold'>(
      'submitting',
      'unknown',
      'quarantined',
      'pending',
      'on_hold',
    );
    const end = fc.constantFrom<ObservedStatus>('completed', 'failed', 'canceled');
    const underWay = fc.array(fc.constantFrom<ObservedStatus>('pending', 'on_hold'), { maxLength: 8 });
    fc.assert(
      fc.property(open, underWay, end, fc.nat(), (start, seen, last, place) => {
        const at = place % (seen.length + 1);
        const inAnyOrder = [...seen.slice(0, at), last, ...seen.slice(at)];
        let current: (typeof posted)[number] = start;
        for (const each of inAnyOrder) {
          const merge = mergeObservation(current, each);
          expect(merge.kind).not.toBe('contradicted');
          if (merge.kind === 'move') expect(merge.transition.to).not.toBe('ready');
          if (merge.kind === 'move' && merge.transition.to !== 'ready') current = merge.transition.to;
        }
        expect(current).toBe(last);
      }),
    );
  });

  it('makes a second, different end and a disbursement of a rejected payout contradictions, and no late report', () => {
    expect(mergeObservation('failed', 'completed').kind).toBe('contradicted');
    expect(mergeObservation('completed', 'failed').kind).toBe('contradicted');
    expect(mergeObservation('rejected', 'pending').kind).toBe('contradicted');
    expect(mergeObservation('completed', 'pending').kind).toBe('keep');
  });
});

describe('moves of a payout', () => {
  it('leave no end, and return to ready only without an acknowledgement', () => {
    const moves = Object.values(payoutTransitions).flatMap(({ from, to }) => from.map((each) => ({ from: each, to })));
    expect(moves.filter(({ from }) => isEnd(from))).toEqual([]);
    const backToReady = moves.filter(({ to }) => to === 'ready').map(({ from }) => from);
    expect([...new Set(backToReady)].sort()).toEqual(['submitting', 'unknown']);
  });
});
