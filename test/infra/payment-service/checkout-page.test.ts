import { describe, expect, it } from 'vitest';
import { composed, readable, resourcesOf } from '../../support/synthesized.ts';

const resources = resourcesOf(composed(), 'PaymentService');

describe('the public checkout page', () => {
  it('serves everything under /checkout, and nothing of the merchants’ API', () => {
    const found = resources.filter(
      ({ Type, Properties }) =>
        Type === 'AWS::ApiGateway::Method' && JSON.stringify(Properties).includes('"CheckoutPage'),
    );
    expect(found.map(({ Properties }) => readable(Properties['ResourceId']))).toEqual([
      expect.stringMatching(/^<ServiceApicheckoutproxy\w+>$/),
    ]);
  });
});
