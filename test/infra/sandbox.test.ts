import { describe, expect, it } from 'vitest';
import { composed, resourcesOf } from '../support/synthesized.ts';

const pathsOf = (sandbox: boolean): readonly string[] =>
  resourcesOf(composed({ paymentService: JSON.stringify({ sandbox }) }), 'PaymentService')
    .filter(({ Type }) => Type === 'AWS::ApiGateway::Resource')
    .map(({ Properties }) => String(Properties['PathPart']));

const functionsOf = (sandbox: boolean): readonly string[] =>
  resourcesOf(composed({ paymentService: JSON.stringify({ sandbox }) }), 'PaymentService')
    .filter(({ Type }) => Type === 'AWS::Lambda::Function')
    .map(({ logicalId }) => logicalId);

describe('what steers a sandbox', () => {
  it('is deployed with one', () => {
    expect(pathsOf(true)).toContain('sandbox');
    expect(functionsOf(true)).toContainEqual(expect.stringMatching(/^SandboxControls/));
  });

  it('is not there without one: no path leads to it, and no function could do it', () => {
    expect(pathsOf(false)).not.toContain('sandbox');
    expect(functionsOf(false)).not.toContainEqual(expect.stringMatching(/^SandboxControls/));
  });
});
