import { describe, expect, it } from 'vitest';
import { settingsFrom, WrongSettings } from '../../infra/settings.ts';
import { realProvider } from '../support/real-provider.ts';

const from = (context: Readonly<Record<string, unknown>>) => settingsFrom((key) => context[key]);

describe('settings of the infra', () => {
  it('has a default for everything', () => {
    expect(from({})).toMatchObject({ stage: 'production', region: 'us-east-1', provider: { kind: 'sandbox' } });
  });

  it('reads objects and numbers from the command line, where all is text', () => {
    expect(from({ chunksAtOnce: '8', orchestrator: '{"maxRows":1000}', provider: '{"kind":"sandbox"}' })).toMatchObject(
      { chunksAtOnce: 8, orchestrator: { maxRows: 1000 }, provider: { kind: 'sandbox' } },
    );
  });

  it('points at a real account by configuration alone', () => {
    expect(from({ provider: realProvider }).provider).toEqual(realProvider);
  });

  it.each([
    ['an unknown stage form', { stage: 'Production!' }, 'stage'],
    ['a region that is none', { region: 'europe' }, 'region'],
    ['a provider of an unknown kind', { provider: { kind: 'bank' } }, 'provider'],
    [
      'a provider without TLS',
      {
        provider: {
          kind: 'service',
          baseUrl: 'http://pay',
          signingSecretName: 'a',
          authorizationSecretName: 'a',
          signing: 'b',
        },
      },
      'baseUrl',
    ],
    [
      'a provider without credentials',
      { provider: { kind: 'service', baseUrl: 'https://pay.example' } },
      'authorizationSecretName',
    ],
    ['no concurrency', { chunksAtOnce: 0 }, 'chunksAtOnce'],
    ['a misspelt behaviour', { orchestrator: { maxRow: 5 } }, 'maxRow'],
    ['text that starts like JSON and is none', { orchestrator: '{maxRows:5}' }, 'orchestrator'],
    [
      'a call looked up while it may still be made',
      { orchestrator: { resolveAfterSeconds: 60 } },
      'resolveAfterSeconds',
    ],
    [
      'an HTTP timeout beyond the age of looking up',
      { orchestrator: { httpTimeoutSeconds: 31 } },
      'httpTimeoutSeconds',
    ],
    ['a misspelt behaviour of the payment service', { paymentService: { sandbx: true } }, 'sandbx'],
  ])('refuses %s and names it', (_, context, named) => {
    expect(() => from(context)).toThrow(WrongSettings);
    expect(() => from(context)).toThrow(new RegExp(named));
  });

  it('lets the local stage look calls up sooner', () => {
    expect(from({ stage: 'local', orchestrator: { resolveAfterSeconds: 30 } }).orchestrator.resolveAfterSeconds).toBe(
      30,
    );
  });
});
