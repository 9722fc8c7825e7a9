import { readFileSync } from 'node:fs';
import Big from 'big.js';
import { describe, expect, it } from 'vitest';
import { hoursOfMonth, monthlyPrices, monthlyUsd } from '../../infra/local/costs/price-list.ts';
import { bounds } from '../bench/bounds.ts';
import { composed, resourcesOf } from '../support/synthesized.ts';

const textOf = (document: string): string => readFileSync(new URL(`../../${document}`, import.meta.url), 'utf8');
const text = textOf('infra/COSTS.md');
const app = composed();
const stacks = ['PayoutOrchestrator', 'PaymentService'].map((stack) => resourcesOf(app, stack));

/** A document whose sentences may go over several lines. */
const sentencesOf = (document: string): string => textOf(document).replaceAll('\n', ' ');

const cellsOf = (row: string): readonly string[] =>
  text
    .split('\n')
    .find((line) => line.startsWith(`| ${row} |`))
    ?.split(' | ')
    .slice(1)
    .map((cell) => cell.replaceAll(/[*| ]/g, '')) ?? [];

const counts = (type: string) => stacks.map((stack) => stack.filter(({ Type }) => Type === type).length);

const rows = [
  ['alarms', 'AWS::CloudWatch::Alarm'],
  ['dashboards', 'AWS::CloudWatch::Dashboard'],
  ['customer-managed keys', 'AWS::KMS::Key'],
  ['secrets', 'AWS::SecretsManager::Secret'],
] as const;

describe('the monthly price', () => {
  it.each(rows)('of %s matches the templates and the price list', (row, type) => {
    expect(cellsOf(row)).toEqual([...counts(type).map(String), monthlyPrices[type].toFixed(2)]);
  });

  it('adds up', () => {
    const sums = stacks.map((stack) => monthlyUsd(stack.map(({ Type }) => Type)));
    expect(cellsOf('**USD a month**').slice(0, 2)).toEqual(sums);
  });

  it('is rounded in the root README', () => {
    const [orchestrator, service] = cellsOf('**USD a month**').map((usd) => new Big(usd || '0').toFixed(0));
    expect(sentencesOf('README.md')).toContain(
      `A month costs ${orchestrator} USD before the first payout, and ${service} USD more with the sandbox`,
    );
  });
});

it('the price of a throwaway stage matches its templates', () => {
  const throwaway = composed({ stage: 'throwaway-1' });
  const resources = ['PayoutOrchestrator', 'PaymentService'].flatMap((stack) => resourcesOf(throwaway, stack));
  const month = monthlyUsd(resources.map(({ Type }) => Type));
  const hour = new Big(month).div(String(hoursOfMonth)).toFixed(2);
  expect(sentencesOf('infra/verify/README.md')).toContain(
    `The stage itself costs ${month} USD a month, ${hour} an hour`,
  );
});

it('the price of a static address matches the templates', () => {
  const monthWith = (staticAddresses: number) => {
    const resources = resourcesOf(composed({ provider: { kind: 'sandbox', staticAddresses } }), 'PayoutOrchestrator');
    return new Big(monthlyUsd(resources.map(({ Type }) => Type)));
  };
  expect(text).toContain(`costs ${monthWith(2).minus(monthWith(1)).toFixed(2)}: a NAT gateway and its address`);
});

it('the price of 1,000 payouts matches the bench’s limit', () => {
  const most = (wanted: string) => bounds.find(({ key }) => key === wanted)?.most;
  expect(text).toContain(`At most ${most('usdPer1000')} USD`);
  expect(text).toContain(`${most('scale.usdPer1000')} in a file of 100,000`);
});
