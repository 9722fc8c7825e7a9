import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { depositTransitions } from '../../../../../functions/payment-service/domain/deposits/lifecycle.ts';
import { settlementPlan } from '../../../../../functions/payment-service/domain/disbursements/settlement-plan.ts';
import { outcomes } from '../../../../../functions/payment-service/domain/sandbox/magic-values.ts';

const domain = '../../../../../functions/payment-service/domain';
const textOf = (document: string): string => readFileSync(new URL(`${domain}/${document}`, import.meta.url), 'utf8');

/** The moves in the diagram under a heading of a document, as `pending completed`. */
const movesIn = (document: string, heading: string): readonly string[] => {
  const [, section = ''] = textOf(document).split(`\n## ${heading}\n`);
  const [, diagram = ''] = section.split('```');
  return [...diagram.matchAll(/^ {2}(\w+) --> (\w+)/gm)].map(([, from, to]) => `${from} ${to}`);
};

it('the diagram shows exactly the moves that disbursements make', () => {
  const drawn = movesIn('disbursements/DISBURSEMENTS.md', 'How a disbursement moves');
  const times = { minSeconds: 2, maxSeconds: 8, waves: 3, lateSeconds: 60 };
  const made = (['fiat', 'crypto'] as const).flatMap((rail) =>
    outcomes.flatMap((outcome) => {
      const statuses = [
        'pending',
        ...settlementPlan(times, { rail, outcome, position: 0 }).map(({ event }) => event.status),
      ];
      return statuses.slice(1).map((to, index) => `${statuses[index]} ${to}`);
    }),
  );
  const moves = new Set(made.filter((move) => move !== 'pending pending'));
  expect(drawn.toSorted()).toEqual([...moves].toSorted());
});

it('the diagram shows exactly the moves that deposits make', () => {
  const made = Object.values(depositTransitions).map(({ status }) => `pending ${status}`);
  expect(new Set(movesIn('deposits/DEPOSITS.md', 'How a deposit moves'))).toEqual(new Set(made));
});
