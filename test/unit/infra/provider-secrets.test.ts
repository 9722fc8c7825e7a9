import { describe, expect, it } from 'vitest';
import { contextOf, localSettingsOf } from '../../../infra/local/aws/local-settings.ts';
import { providerSecrets } from '../../../infra/local/aws/provider-secrets.ts';
import { PlainError } from '../../../infra/local/plain-error.ts';
import { realProvider } from '../../support/real-provider.ts';

const given = { provider: JSON.stringify(realProvider) };
const signing = JSON.stringify({ clientId: 'c', clientSecret: 'hidden-signing' });
const authorization = JSON.stringify({ apiKey: 'hidden-key' });

describe('the secrets of a provider on the local AWS', () => {
  it('are none for the sandbox', () => {
    expect(providerSecrets(localSettingsOf({}), {})).toEqual([]);
  });

  it('come from the environment, under the setting’s names', () => {
    const environment = { PROVIDER_SIGNING_SECRET: signing, PROVIDER_AUTHORIZATION_SECRET: authorization };
    expect(providerSecrets(localSettingsOf(given), environment)).toEqual([
      { name: 'sign', value: signing },
      { name: 'pay', value: authorization },
    ]);
  });

  it.each([
    ['none is given', {}, 'PROVIDER_SIGNING_SECRET'],
    ['one is no JSON', { PROVIDER_SIGNING_SECRET: 'hidden-signing' }, 'it is not JSON'],
    ['a part is missing', { PROVIDER_SIGNING_SECRET: '{"clientId":"hidden-signing"}' }, 'clientSecret'],
    [
      'a key could be no header',
      { PROVIDER_SIGNING_SECRET: signing, PROVIDER_AUTHORIZATION_SECRET: '{"apiKey":"hidden key"}' },
      'PROVIDER_AUTHORIZATION_SECRET does not hold what functions/provider/SIGNING.md shows: apiKey',
    ],
    ['one is a list', { PROVIDER_SIGNING_SECRET: '[]' }, 'not an object'],
  ])('stop with a plain message when %s, and it repeats no secret', (_, environment, expected) => {
    const secrets = () => providerSecrets(localSettingsOf(given), environment);
    expect(secrets).toThrow(PlainError);
    expect(secrets).toThrow(expected);
    expect(secrets).not.toThrow(/hidden/);
  });

  it('are not read with wrong settings', () => {
    expect(() => localSettingsOf({ provider: '{"kind":"service"}' })).toThrow(PlainError);
  });
});

describe('settings of the command line', () => {
  it('are a key and all that follows the first equals sign', () => {
    expect(contextOf(['region=eu-west-1', 'provider={"a":"b=c"}'])).toEqual({
      region: 'eu-west-1',
      provider: '{"a":"b=c"}',
    });
  });

  it.each(['region', '=x'])('are refused without a key and a value: %s', (pair) => {
    expect(() => contextOf([pair])).toThrow(PlainError);
  });
});
