import { describe, expect, it } from 'vitest';
import { accountOf } from '../../../../infra/verify/account.ts';

describe('the account to verify', () => {
  it.each(['AWS_ENDPOINT_URL', 'AWS_ENDPOINT_URL_STS', 'AWS_ENDPOINT_URL_CLOUDFORMATION'])(
    'is refused when %s names another AWS',
    async (variable) => {
      const environment = { [variable]: 'https://127.0.0.1:4566', AWS_REGION: 'eu-west-1' };
      await expect(accountOf(environment, 'throwaway-1')).rejects.toThrow(`${variable} is https`);
    },
  );
});
