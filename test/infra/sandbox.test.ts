import { describe, expect, it } from 'vitest';
import { composed, permissionsByRole, resourcesOf } from '../support/synthesized.ts';

const pathsOf = (sandbox: boolean): readonly string[] =>
  resourcesOf(composed({ paymentService: JSON.stringify({ sandbox }) }), 'PaymentService')
    .filter(({ Type }) => Type === 'AWS::ApiGateway::Resource')
    .map(({ Properties }) => String(Properties['PathPart']));

const functionsOf = (sandbox: boolean): readonly string[] =>
  resourcesOf(composed({ paymentService: JSON.stringify({ sandbox }) }), 'PaymentService')
    .filter(({ Type }) => Type === 'AWS::Lambda::Function')
    .map(({ logicalId }) => logicalId);

/** Functions that change items only to count a sandbox's faults. */
const countsFaults = ['TransferProofs', 'AnnounceChanges'];

const mayUpdate = (sandbox: boolean, name: string): boolean =>
  [...permissionsByRole(resourcesOf(composed({ paymentService: JSON.stringify({ sandbox }) }), 'PaymentService'))].some(
    ([role, lines]) => role.includes(name) && lines.some((line) => line.startsWith('dynamodb:UpdateItem')),
  );

describe('the controls of a sandbox', () => {
  it.each(countsFaults)('%s may count faults only in a sandbox', (name) => {
    expect([mayUpdate(true, name), mayUpdate(false, name)]).toEqual([true, false]);
  });

  it('are deployed with it', () => {
    expect(pathsOf(true)).toContain('sandbox');
    expect(functionsOf(true)).toContainEqual(expect.stringMatching(/^SandboxControls/));
  });

  it('do not exist without it: there is no path and no function', () => {
    expect(pathsOf(false)).not.toContain('sandbox');
    expect(functionsOf(false)).not.toContainEqual(expect.stringMatching(/^SandboxControls/));
  });
});

it('lets only settlement invoke itself for more than the 16 rounds after which Lambda stops a loop', () => {
  const looping = resourcesOf(composed(), 'PaymentService').filter(
    ({ Type, Properties }) => Type === 'AWS::Lambda::Function' && Properties['RecursiveLoop'] !== undefined,
  );
  expect(looping).toEqual([
    expect.objectContaining({
      logicalId: expect.stringMatching(/^SettlementSettleGroups/),
      Properties: expect.objectContaining({ RecursiveLoop: 'Allow' }),
    }),
  ]);
});
