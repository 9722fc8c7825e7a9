import { describe, expect, it } from 'vitest';
import { orchestratorSettings } from '../../functions/domain/settings.ts';
import { newlyComposed, resourcesOf } from '../support/synthesized.ts';

/** The bank codes of as many BICs, with four characters each. */
const banks = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`ABCD${1000 + n}`, `B${100 + n}`]));

describe('settings in the environment of functions', () => {
  it.each([
    [
      'the bank codes of 150 BICs',
      { orchestrator: { bankCodesByBic: banks(150) } },
      /\n {2}PayoutOrchestrator\/BatchWorkflow\/PlanBatch would get about 4\d+ bytes: provider takes \d+, orchestrator takes 3\d+$/,
    ],
    [
      'the address of a webhook',
      { eventWebhook: { url: `https://merchant.example/${'a'.repeat(4000)}`, secretName: 's' } },
      /\n {2}PayoutOrchestrator\/EventWebhook\/DeliverEvents would get about 4\d+ bytes: orchestrator takes \d+, eventWebhook takes 4\d+$/,
    ],
    [
      'words of the provider',
      {
        provider: {
          kind: 'sandbox',
          traits: { words: { taken: Array.from({ length: 200 }, (_, n) => `taken for ${100 + n}`) } },
        },
      },
      /provider takes \d{4}/,
    ],
  ])('are refused before a deployment when Lambda would refuse them: %s', (_, settings, message) => {
    expect(() => newlyComposed(settings)).toThrow(
      expect.objectContaining({ name: 'WrongSettings', message: expect.stringMatching(message) }),
    );
  });

  it('have room for the bank codes of 100 BICs, and reach the functions without the defaults', () => {
    const orchestrator = { bankCodesByBic: banks(100), webhooks: { lookupWindowSeconds: 60 } };
    const app = newlyComposed({ orchestrator });
    const environments = resourcesOf(app, 'PayoutOrchestrator')
      .filter(({ Type }) => Type === 'AWS::Lambda::Function')
      .map(({ Properties }) => JSON.stringify(Properties['Environment']));
    const { webhooks } = orchestratorSettings().parse(orchestrator);
    const settings = JSON.stringify(JSON.stringify({ bankCodesByBic: orchestrator.bankCodesByBic, webhooks }));
    expect(environments.filter((one) => one.includes(`"SETTINGS":${settings}`))).not.toEqual([]);
  });
});
