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

/** Functions of whom a sandbox counts faults, and which change no item otherwise. */
const countsFaults = ['TransferProofs', 'AnnounceChanges'];

const mayUpdate = (sandbox: boolean, name: string): boolean =>
  [...permissionsByRole(resourcesOf(composed({ paymentService: JSON.stringify({ sandbox }) }), 'PaymentService'))].some(
    ([role, lines]) => role.includes(name) && lines.some((line) => line.startsWith('dynamodb:UpdateItem')),
  );

describe('what steers a sandbox', () => {
  it.each(countsFaults)('%s may count the faults that strike in a sandbox alone', (name) => {
    expect([mayUpdate(true, name), mayUpdate(false, name)]).toEqual([true, false]);
  });

  it('is deployed with one', () => {
    expect(pathsOf(true)).toContain('sandbox');
    expect(functionsOf(true)).toContainEqual(expect.stringMatching(/^SandboxControls/));
  });

  it('is not there without one: no path leads to it, and no function could do it', () => {
    expect(pathsOf(false)).not.toContain('sandbox');
    expect(functionsOf(false)).not.toContainEqual(expect.stringMatching(/^SandboxControls/));
  });
});

it('lets settlement wake itself for longer than the 16 rounds after which Lambda stops a loop, and no other function', () => {
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
