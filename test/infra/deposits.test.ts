import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { composed, permissionsByRole, readable, resourcesOf } from '../support/synthesized.ts';

const environment = z.object({ Environment: z.object({ Variables: z.record(z.string(), z.unknown()) }) });
const resources = resourcesOf(composed(), 'PaymentService');

describe('the function of deposits', () => {
  it('reads and writes the table, deletes nothing, and sends only to the settlement queue', () => {
    const [, found = []] =
      [...permissionsByRole(resources)].find(([role]) => /^DepositsRole[0-9A-F]{8}$/.test(role)) ?? [];
    const actions = found.map((line) => line.replaceAll(/[0-9A-F]{8}(?=\.)/g, ''));
    expect(actions).toContain('dynamodb:UpdateItem <ServiceTable.Arn>');
    expect(actions.filter((line) => line.startsWith('dynamodb:Delete'))).toEqual([]);
    expect(actions.filter((line) => line.startsWith('sqs:'))).toEqual(['sqs:SendMessage <SettlementDue.Arn>']);
  });

  it('knows the API’s address without a circular dependency', () => {
    const made = resources.find(
      ({ Type, logicalId }) => Type === 'AWS::Lambda::Function' && /^Deposits[0-9A-F]{8}$/.test(logicalId),
    );
    const url = environment.parse(made?.Properties).Environment.Variables['PUBLIC_URL'];
    expect(readable(url)).toMatch(/^https:\/\/<ServiceApi\w*>\.execute-api\..+\/service$/);
  });
});
