import { describe, expect, it } from 'vitest';
import { settingsFrom } from '../../../../infra/settings.ts';
import { accountOf, accountTarget, verifiedLocalAws } from '../../../../infra/verify/account.ts';
import { realProvider } from '../../../support/real-provider.ts';

describe('the account to verify', () => {
  it.each(['AWS_ENDPOINT_URL', 'AWS_ENDPOINT_URL_STS', 'AWS_ENDPOINT_URL_CLOUDFORMATION'])(
    'is refused when %s names another AWS',
    async (variable) => {
      const environment = { [variable]: 'https://127.0.0.1:4566', AWS_REGION: 'eu-west-1' };
      await expect(accountOf(environment, 'throwaway-1')).rejects.toThrow(`${variable} is https`);
    },
  );
});

describe('the stage to verify', () => {
  /** The context in a cdk.json that deploys the real thing. */
  const deployed = {
    provider: realProvider,
    eventWebhook: { url: 'https://merchant.example/hooks', secretName: 'merchant/events' },
    notifyEmail: 'clerk@example.com',
    objectLockDays: 3650,
    objectLockMode: 'compliance',
  };
  const endpoint = 'https://127.0.0.1:4566';
  const local = { endpoint, region: 'us-east-1', caFile: 'c', pid: 1, folder: 'f' };

  it.each([
    ['on an account', accountTarget('123456789012', 'eu-west-1', 'throwaway-1'), undefined],
    ['on a local AWS', verifiedLocalAws(local, 'throwaway-1').target, endpoint],
  ])(
    '%s pays from the sandbox, notifies nobody and locks nothing, whatever cdk.json says',
    (_, target, awsEndpoint) => {
      for (const alarms of [{ alarmEmail: 'ops@example.com' }, { alarmTopicArn: 'arn:aws:sns:us-east-1:1:ops' }]) {
        const context: Readonly<Record<string, unknown>> = { ...deployed, ...alarms, ...target.settings };
        const settings = settingsFrom(context, awsEndpoint);
        expect(settings).toMatchObject({ stage: 'throwaway-1', provider: { kind: 'sandbox' }, objectLockDays: 0 });
        for (const receiver of ['eventWebhook', 'notifyEmail', 'alarmEmail', 'alarmTopicArn'] as const)
          expect(settings[receiver]).toBeUndefined();
      }
    },
  );
});
