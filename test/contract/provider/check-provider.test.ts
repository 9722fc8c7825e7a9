import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { checkProvider } from '../../../functions/provider/check/check-provider.ts';
import { documentedTraits } from '../../../functions/provider/settings.ts';
import { tellFindings } from '../../../infra/local/tell-findings.ts';
import { connection, deployedProvider, merchantCredentials } from './deployed-service.ts';

describe('check-provider of the deployed sandbox', () => {
  it('finds nothing wrong and nothing to set', async () => {
    const provider = deployedProvider();
    const recipient = { kind: 'recipientId', recipientId: 'rcp_check' } as const;
    const planned = { row: 1, reference: `check-${randomUUID()}`, amount: '20000', recipient };
    await provider.submit('fiat', provider.composeSubmission({ rail: 'fiat', currency: 'IDR' }, [planned]));
    const findings = await checkProvider({
      ...connection(merchantCredentials),
      unusedReference: `check-${randomUUID()}`,
      conversionSources: ['usdt-tron'],
    });
    const told = tellFindings(findings, documentedTraits());
    expect(told).not.toMatch(/^wrong/m);
    expect(told).not.toContain('Set provider.traits');
    expect(findings.find(({ what }) => what === 'a wrong signature')?.verdict).toBe('good');
  });
});
