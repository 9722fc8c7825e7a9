import { describe, expect, it } from 'vitest';
import { composed, permissionsByRole, readable, resourcesOf } from '../support/synthesized.ts';

const resources = resourcesOf(composed(), 'PaymentService');
const [, permissions = []] =
  [...permissionsByRole(resources)].find(([role]) => role.startsWith('CheckoutPageRole')) ?? [];
const lines = permissions.filter((line) => !/^(logs|xray|kms):/.test(line));

describe('the checkout page, which anybody can reach', () => {
  it('finds and changes items by their keys, and can neither list nor delete any', () => {
    const onTable = lines.flatMap((line) => /^dynamodb:(\w+) <ServiceTable\w+\.Arn>$/.exec(line)?.[1] ?? []);
    expect(onTable.toSorted()).toEqual(['GetItem', 'PutItem', 'UpdateItem']);
  });

  it('has its deposits looked at, and may touch nothing else: no secret, no webhook', () => {
    const others = lines.filter((line) => !line.startsWith('dynamodb:'));
    expect(others).toEqual([expect.stringMatching(/^sqs:SendMessage <SettlementDue\w+\.Arn>$/)]);
  });

  it('serves everything below /checkout, and no part of the merchants’ API', () => {
    const found = resources.filter(
      ({ Type, Properties }) =>
        Type === 'AWS::ApiGateway::Method' && JSON.stringify(Properties).includes('"CheckoutPage'),
    );
    expect(found.map(({ Properties }) => readable(Properties['ResourceId']))).toEqual([
      expect.stringMatching(/^<ServiceApicheckoutproxy\w+>$/),
    ]);
  });
});
