import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { realProvider } from '../support/real-provider.ts';
import { holdersOf } from '../support/roles/rights.ts';
import { composed, resourcesOf } from '../support/synthesized.ts';

const keyArn = 'arn:aws:kms:us-east-1:123456789012:key/11111111-2222-3333-4444-555555555555';

/** Composed once, because that takes seconds. */
const sandbox = composed();
const service = composed({ provider: { ...realProvider, secretsKeyArn: keyArn }, setsApiLogRole: false });

describe('the account’s role for API Gateway’s logs', () => {
  const setBy = (app: typeof sandbox) =>
    app
      .synth()
      .stacks.filter(({ id }) => resourcesOf(app, id).some(({ Type }) => Type === 'AWS::ApiGateway::Account'))
      .map(({ id }) => id);

  it('is set only by the stack that is deployed first', () => {
    expect(setBy(sandbox)).toEqual(['PaymentService']);
    const { dependencies } = sandbox.synth().getStackArtifact('PayoutOrchestrator');
    expect(dependencies.map(({ id }) => id)).toContain('PaymentService');
    expect(setBy(composed({ provider: realProvider }))).toEqual(['PayoutOrchestrator']);
  });

  it('is left unchanged if a setting says so', () => {
    expect(setBy(service)).toEqual([]);
    expect(resourcesOf(service, 'PayoutOrchestrator').some(({ Type }) => Type === 'AWS::ApiGateway::Stage')).toBe(true);
  });

  it('outlives every stage, because other APIs use it', () => {
    const kept = resourcesOf(composed({ stage: 'throwaway-1' }), 'PaymentService').filter(
      ({ logicalId }) => logicalId.includes('CloudWatchRole') || logicalId.includes('ApiAccount'),
    );
    expect(kept.map(({ DeletionPolicy }) => DeletionPolicy)).toEqual(['Retain', 'Retain']);
  });
});

describe('a customer-managed key for the provider’s secrets', () => {
  const statements = z.object({
    PolicyDocument: z.object({
      Statement: z.array(z.object({ Action: z.unknown(), Resource: z.unknown(), Condition: z.unknown().optional() })),
    }),
    Roles: z.array(z.object({ Ref: z.string() })).default([]),
  });
  const byKey = resourcesOf(service, 'PayoutOrchestrator')
    .filter(({ Type }) => Type === 'AWS::IAM::Policy')
    .flatMap(({ Properties }) => {
      const { PolicyDocument, Roles } = statements.parse(Properties);
      return PolicyDocument.Statement.filter((one) => JSON.stringify(one).includes(keyArn)).map((one) => ({
        role: Roles.map(({ Ref }) => Ref).join(),
        ...one,
      }));
    });
  const readersOf = (secretName: string) =>
    byKey
      .filter((one) => JSON.stringify(one.Condition).includes(`:secret:${secretName}-??????`))
      .map(({ role }) => /(?:BatchWorkflow|OperatorApi|Webhooks|Watch)?(\w+)Role[0-9A-F]{8}$/.exec(role)?.[1]);

  it('can be used for decryption by the readers of the secrets', () => {
    expect(new Set(readersOf(realProvider.authorizationSecretName))).toEqual(
      new Set(holdersOf('secret authorization')),
    );
    expect(new Set(readersOf(realProvider.signingSecretName))).toEqual(new Set(holdersOf('secret signing')));
  });

  it('can be used for nothing else', () => {
    for (const { Action, Resource, Condition } of byKey) {
      expect({ Action, Resource }).toEqual({ Action: 'kms:Decrypt', Resource: keyArn });
      expect(Condition).toMatchObject({
        StringEquals: {
          'kms:ViaService': { 'Fn::Join': ['', ['secretsmanager.us-east-1.', { Ref: 'AWS::URLSuffix' }]] },
        },
      });
    }
    expect(byKey).toHaveLength(holdersOf('secret authorization').length + holdersOf('secret signing').length);
  });

  it('is refused for the sandbox, whose secrets have no such key', () => {
    expect(() => composed({ provider: { kind: 'sandbox', secretsKeyArn: keyArn } })).toThrow('secretsKeyArn');
  });
});
