import { readFileSync } from 'node:fs';
import Big from 'big.js';
import { describe, expect, it } from 'vitest';
import { monthlyPrices } from '../../infra/local/price-list.ts';
import { bounds } from '../bench/bounds.ts';
import { composed, resourcesOf } from '../support/synthesized.ts';

const text = readFileSync(new URL('../../infra/COSTS.md', import.meta.url), 'utf8');
const app = composed();
const stacks = ['PayoutOrchestrator', 'PaymentService'].map((stack) => resourcesOf(app, stack));

const cellsOf = (row: string): readonly string[] =>
  text
    .split('\n')
    .find((line) => line.startsWith(`| ${row} |`))
    ?.split(' | ')
    .slice(1)
    .map((cell) => cell.replaceAll(/[*| ]/g, '')) ?? [];

const counts = (type: string) => stacks.map((stack) => stack.filter(({ Type }) => Type === type).length);

const lines = [
  ['alarms', counts('AWS::CloudWatch::Alarm'), monthlyPrices.alarm],
  ['dashboards', counts('AWS::CloudWatch::Dashboard'), monthlyPrices.dashboard],
  ['customer-managed keys', counts('AWS::KMS::Key'), monthlyPrices.key],
  ['secrets', counts('AWS::SecretsManager::Secret'), monthlyPrices.secret],
] as const;

describe('what a month costs', () => {
  it.each(lines)('of %s is as many as the templates have, by the price list', (row, found, price) => {
    expect(cellsOf(row)).toEqual([...found.map(String), price.toFixed(2)]);
  });

  it('adds up', () => {
    const sums = stacks.map((_, stack) =>
      lines.reduce((sum, [, found, price]) => sum.plus(price.times(String(found[stack]))), new Big('0')).toFixed(2),
    );
    expect(cellsOf('**USD a month**').slice(0, 2)).toEqual(sums);
  });
});

it('what 1,000 payouts cost is what the bench allows at most', () => {
  const most = (wanted: string) => bounds.find(({ key }) => key === wanted)?.most;
  expect(text).toContain(`At most ${most('usdPer1000')} USD`);
  expect(text).toContain(`${most('scale.usdPer1000')} in a file of 100,000`);
});
