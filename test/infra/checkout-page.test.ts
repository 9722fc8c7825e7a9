import { describe, expect, it } from 'vitest';
import { composed, permissionsByRole, readable, resourcesOf } from '../support/synthesized.ts';

const resources = resourcesOf(composed(), 'PaymentService');
const [, permissions = []] =
  [...permissionsByRole(resources)].find(([role]) => role.startsWith('CheckoutPageRole')) ?? [];
const lines = permissions.filter((line) => !/^(logs|xray|kms):/.test(line));

describe('the public checkout page', () => {
  it('reads and changes items by key, and can neither list nor delete any', () => {
    const onTable = lines.flatMap((line) => /^dynamodb:(\w+) <ServiceTable\w+\.Arn>$/.exec(line)?.[1] ?? []);
    expect(onTable.toSorted()).toEqual(['GetItem', 'PutItem', 'UpdateItem']);
  });

  it('sends only to the settlement queue, and may use no secret and no webhook', () => {
    const others = lines.filter((line) => !line.startsWith('dynamodb:'));
    expect(others).toEqual([expect.stringMatching(/^sqs:SendMessage <SettlementDue\w+\.Arn>$/)]);
  });

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
