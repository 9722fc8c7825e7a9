import { describe, expect, it } from 'vitest';
import { grantedLines } from '../../support/roles/granted.ts';
import { composed, resourcesOf } from '../../support/synthesized.ts';

const serviceWith = (sandbox: boolean) =>
  resourcesOf(composed({ paymentService: JSON.stringify({ sandbox }) }), 'PaymentService');

const pathsOf = (sandbox: boolean): readonly string[] =>
  serviceWith(sandbox)
    .filter(({ Type }) => Type === 'AWS::ApiGateway::Resource')
    .map(({ Properties }) => String(Properties['PathPart']));

const functionsOf = (sandbox: boolean): readonly string[] =>
  serviceWith(sandbox)
    .filter(({ Type }) => Type === 'AWS::Lambda::Function')
    .map(({ logicalId }) => logicalId);

/** Functions that update items only to count a sandbox's faults. */
const countsFaults = ['TransferProofs', 'AnnounceChanges'];

const mayUpdate = (sandbox: boolean, name: string): boolean | undefined =>
  grantedLines(serviceWith(sandbox))[name]?.some((line) => line.startsWith('dynamodb:UpdateItem'));

describe('the sandbox controls', () => {
  it.each(countsFaults)('let %s count faults only in a sandbox', (name) => {
    expect([mayUpdate(true, name), mayUpdate(false, name)]).toEqual([true, false]);
  });

  it('are deployed with a sandbox', () => {
    expect(pathsOf(true)).toContain('sandbox');
    expect(functionsOf(true)).toContainEqual(expect.stringMatching(/^SandboxControls/));
  });

  it('have no path and no function without a sandbox', () => {
    expect(pathsOf(false)).not.toContain('sandbox');
    expect(functionsOf(false)).not.toContainEqual(expect.stringMatching(/^SandboxControls/));
  });
});

it.each([
  [{}, true],
  [{ provider: '{"kind":"sandbox"}' }, false],
  [{ stage: 'local' }, false],
  [{ stage: 'throwaway-1' }, false],
])('a deployment with the settings %j warns that the sandbox pays: %s', (settings, warns) => {
  const { messages } = composed(settings).synth().getStackArtifact('PayoutOrchestrator');
  const told = messages.filter(
    ({ level, entry }) => level === 'warning' && JSON.stringify(entry.data).includes('the sandbox pays'),
  );
  expect(told.length > 0).toBe(warns);
});

it('only settlement may invoke itself more than 16 times, after which Lambda stops a loop', () => {
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
