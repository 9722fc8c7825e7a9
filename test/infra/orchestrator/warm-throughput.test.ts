import { expect, it } from 'vitest';
import { composed, resourcesOf } from '../../support/synthesized.ts';

const tables = (settings: object) =>
  ['PayoutOrchestrator', 'PaymentService'].map((stack) => {
    const [table] = resourcesOf(composed({ ...settings }), stack).filter(
      ({ Type }) => Type === 'AWS::DynamoDB::GlobalTable',
    );
    return table?.Properties ?? {};
  });

it('the setting warms both tables, and the index that each payout is written to', () => {
  const [ledger, service] = tables({ warmWritesPerSecond: '16000' });
  const WarmThroughput = { WriteUnitsPerSecond: 16_000 };
  expect(ledger).toMatchObject({ WarmThroughput });
  expect(service).toMatchObject({ WarmThroughput });
  const warmed = JSON.stringify(ledger?.['GlobalSecondaryIndexes']).split('"WarmThroughput"').length - 1;
  expect(warmed).toBe(1);
});

it('without the setting, tables have AWS’s defaults', () => {
  expect(JSON.stringify(tables({}))).not.toContain('WarmThroughput');
});

it('a value below that of a new table is refused', () => {
  expect(() => composed({ warmWritesPerSecond: '3999' })).toThrow('warmWritesPerSecond');
});
