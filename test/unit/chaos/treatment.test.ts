import { describe, expect, it } from 'vitest';
import type { SeenRequest } from '../../chaos/network/treatment.ts';
import { trafficOf, treatmentOf } from '../../chaos/network/treatment.ts';
import { chanceOf } from '../../support/chance.ts';

const service = '/_aws/execute-api/abc123/service';
const request = (change: Partial<SeenRequest> = {}): SeenRequest => ({
  caller: 'PayoutOrchestrator-local-BatchWorkflowSubmitChunk1A',
  method: 'POST',
  path: `${service}/v2/disbursement/fiat`,
  target: '',
  ...change,
});

const treated = (count: number, asked: SeenRequest) => {
  const random = chanceOf(7).fork('network');
  return Array.from({ length: count }, () => treatmentOf(random, asked) ?? 'passed');
};

describe('the traffic of a request', () => {
  it.each([
    ['a POST of payouts', {}, 'money'],
    ['a POST of a conversion', { path: `${service}/v1/convert` }, 'money'],
    ['a quote', { method: 'GET', path: `${service}/v1/convert/estimate?inputAmount=1` }, 'provider'],
    ['a lookup', { method: 'GET', path: `${service}/v1/disbursement/fiat/ref-1` }, 'provider'],
    ['a claim', { path: '/', target: 'DynamoDB_20120810.TransactWriteItems' }, 'ledger'],
    ['a read of the ledger', { path: '/', target: 'DynamoDB_20120810.Query' }, undefined],
    ['a file', { method: 'PUT', path: '/bucket/key' }, undefined],
    ['the operator API’s own address', { path: '/_aws/execute-api/abc123/v1/batches' }, undefined],
    ['a request of the payment service', { caller: '' }, undefined],
  ])('is recognized: %s', (_name, change, traffic) => {
    expect(trafficOf(request(change))).toBe(traffic);
  });
});

describe('troubles of the network', () => {
  it('hit at least a tenth of each kind of request that may move money', () => {
    const seen = treated(5000, request());
    expect(seen.filter((trouble) => trouble !== 'passed').length).toBeGreaterThan(500);
    expect([...new Set(seen)].sort()).toEqual([
      'cut-after',
      'cut-amid',
      'cut-before',
      'die',
      'freeze',
      'passed',
      'stall',
    ]);
  });

  it('are the same for a seed', () => {
    expect(treated(200, request())).toEqual(treated(200, request()));
  });

  it('kill no function that nothing would run again', () => {
    const seen = treated(5000, request({ caller: 'PayoutOrchestrator-local-BatchWorkflowRecordFailure1A' }));
    expect(seen).not.toContain('die');
    expect(seen).not.toContain('freeze');
  });

  it('hit only the orchestrator', () => {
    expect(new Set(treated(1000, request({ caller: '' })))).toEqual(new Set(['passed']));
  });
});
