import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkPort } from '../../../functions/provider/check/check-port.ts';
import { checkProvider } from '../../../functions/provider/check/check-provider.ts';
import { createPaymentProvider } from '../../../functions/provider/payment-provider.ts';
import type { ProviderTraits } from '../../../functions/provider/settings.ts';
import { providerTraits } from '../../../functions/provider/settings.ts';
import { describeFindings } from '../../../infra/local/describe-findings.ts';
import type { TurnName } from '../../independent-provider/change-trait.ts';
import { turned, turns } from '../../independent-provider/change-trait.ts';
import { clientOf, serveIndependent } from '../../independent-provider/open.ts';
import type { IndependentProvider } from '../../independent-provider/serve.ts';
import { createSecondProvider } from '../../second-provider/adapter.ts';
import type { Route } from '../../second-provider/books.ts';
import { routes, serveFunded } from '../../second-provider/open.ts';
import type { SecondOptions } from '../../second-provider/serve.ts';
import { minute } from '../../support/durations.ts';
import { tronAddress } from '../../support/wallet-addresses.ts';

const fair = { faults: 0, lag: 0, seed: 'check' };
const bank = { kind: 'bank', bankCode: 'BCA', bankName: 'B', accountName: 'A', accountNumber: '001' } as const;
const wallet = { kind: 'wallet', walletAddress: tronAddress('check') } as const;

const questions = { unusedReference: 'check-1', conversionSources: ['usdt-tron'] };

/** The terminal's output without the machine's clock. */
const printed = async (url: string, given: object = {}): Promise<string> => {
  const traits: ProviderTraits = providerTraits().parse(given);
  const findings = await checkProvider({ ...clientOf(url, () => Date.now()), traits, ...questions });
  return describeFindings(
    findings.filter(({ what }) => what !== 'clock'),
    traits,
  );
};

/** The printed advice, one line each. */
const adviceIn = (text: string): readonly string[] => {
  const [, rest = ''] = text.split('What follows:\n');
  return (rest.split('\n\n')[0] ?? '')
    .replaceAll(/\n {2}/g, ' ')
    .split('\n')
    .filter(Boolean);
};

const tokenOpen = 'note: Report it to the provider: anyone who knows the client id can read. (a wrong signature)';
const noConversions =
  'note: To do without conversions, set orchestrator.conversionSources to []. A batch that is short then awaits funds. (conversion quote)';
const usual = [tokenOpen, noConversions];
const secret = 'wrong: Correct the secret, provider.signing, or provider.traits.headers and authorizationPrefix.';
const ofKey = `${secret} (balance, fiat payment methods, crypto payment methods)`;
const ofSignature = `${secret} (fiat list: page size, crypto list: page size, fiat lookup of an unknown reference, crypto lookup of an unknown reference, proof of an unknown disbursement, crypto fee estimate, conversion quote)`;
const asksSingly = 'note: Follow asks about each payout in each sweep, at one request each.';
const lookUps = '(fiat lookup of an unknown reference, crypto lookup of an unknown reference)';

describe('the output of check-provider', () => {
  let provider: IndependentProvider;
  let now = Date.now() - 7_200_000;
  beforeAll(async () => {
    provider = await serveIndependent(fair, () => now);
    const port = createPaymentProvider(clientOf(provider.url, () => now));
    for (let row = 1; row <= 3; row += 1) {
      now += 1000;
      const planned = { row, reference: `row-${row}`, amount: '50000' };
      const chunk = { rail: 'fiat', currency: 'IDR' } as const;
      await port.submit('fiat', port.composeSubmission(chunk, [{ ...planned, recipient: bank }]));
      const tokens = { rail: 'crypto', currency: 'usdt-tron' } as const;
      await port.submit('crypto', port.composeSubmission(tokens, [{ ...planned, recipient: wallet }]));
    }
    now += 3_600_000;
  });
  afterAll(() => provider.close());

  it('for a provider that follows the document: each choice, its consequence, and what it could not check', async () => {
    expect(await printed(provider.url)).toBe(`\
      what                                   found
----  -------------------------------------  --------------------------------------------------------------------------
note  a wrong signature                      is accepted
good  balance                                decimals: IDR 0, usdt-tron 0
good  fiat payment methods                   3 of IDR
good  crypto payment methods                 1 of usdt-tron
good  fiat list: page size                   50, as answered
good  fiat list: records                     as documented
good  fiat list: order                       as asked
good  fiat list: filter by status            pending, completed, failed
good  fiat lookup: letter case               distinguishes references
good  crypto list: page size                 50, as answered
good  crypto list: records                   as documented
good  crypto list: order                     as asked
good  crypto list: filter by status          pending, pending_retry, processed, need_check, completed, failed, canceled
good  crypto lookup: letter case             distinguishes references
good  fiat lookup of an unknown reference    404 "Disbursement not found"
good  crypto lookup of an unknown reference  404 "Crypto disbursement not found"
good  proof of an unknown disbursement       404 "Disbursement not found"
good  crypto fee estimate                    1 for 1.5 usdt-tron
note  conversion quote                       usdt-tron to IDR: The provider has no such conversion.

What follows:
note: Report it to the provider: anyone who knows the client id can read.
  (a wrong signature)
note: To do without conversions, set orchestrator.conversionSources to []. A batch that is short then awaits funds.
  (conversion quote)

Only a payment would show these traits, so they were not checked:
payoutsPerCall 98
rails.fiat.referenceUniqueHours forever
rails.fiat.hiddenHours 24
rails.crypto.referenceUniqueHours 0
rails.crypto.hiddenHours 24
words.balanceTooLow ["insufficient*balance"]
words.taken []`);
  });

  it.each<{
    readonly turn: TurnName;
    /** Advice beyond the usual, and missing advice. */
    readonly advised: readonly string[];
    /** The trait that fixes it, and the remaining advice. */
    readonly traits?: object;
    readonly left?: readonly string[];
    readonly untold?: readonly string[];
  }>([
    {
      turn: 'the key in a header of its own',
      advised: [ofKey],
      untold: [noConversions],
      traits: { headers: { authorization: 'X-Api-Key' } },
    },
    {
      turn: 'another prefix of the key',
      advised: [ofKey],
      untold: [noConversions],
      traits: { authorizationPrefix: 'Token ' },
    },
    ...(
      [
        ['the signature in another header', { signature: 'X-Sign' }],
        ['the time in another header', { timestamp: 'X-Time' }],
        ['the client id in another header', { clientId: 'X-Merchant' }],
      ] as const
    ).map(([turn, headers]) => ({ turn, advised: [ofSignature], untold: usual, traits: { headers } })),
    {
      turn: 'pages of 20 at most',
      advised: ['wrong: Set provider.traits.pageLimit to 20. (fiat list: page size, crypto list: page size)'],
      traits: { pageLimit: 20 },
    },
    {
      turn: 'no lists',
      advised: [`${asksSingly} Set provider.traits.pageLimit to 0. (fiat list, crypto list)`],
      traits: { pageLimit: 0 },
      left: [`${asksSingly} (fiat list, crypto list)`],
    },
    {
      turn: 'no proofs',
      advised: [
        'note: It has no proofs: set provider.traits.rails.fiat.hasProofs to false. (proof of an unknown disbursement)',
      ],
      traits: { rails: { fiat: { hasProofs: false } } },
    },
    {
      turn: 'no estimates',
      advised: ['wrong: A batch with wallets pauses before any of it is paid. (crypto fee estimate)'],
    },
    { turn: 'no wallets', advised: ['note: Rows of this rail are refused. (crypto payment methods)'] },
    {
      turn: 'words of its own for what is absent',
      advised: [
        `wrong: If it says this only about disbursements, set provider.traits.words.absent to ["No such payment"], but leave out any reference in it. ${lookUps}`,
      ],
      traits: { words: { absent: ['no such payment'] } },
    },
    {
      turn: 'no word of absence',
      advised: [
        `wrong: Only a 404 proves absence. A person would have to resolve every payout in doubt. ${lookUps}`,
        'wrong: Only a 401 or 403 halts a batch for a person. (a wrong signature)',
      ],
      untold: [tokenOpen],
    },
    // Two such rows already count as equal here.
    { turn: 'references in any letter case', advised: [] },
  ])(
    'for one with $turn: the setting to change, and nothing once it is set',
    async ({ turn, advised, traits, left, untold }) => {
      const service = await turned(provider.url, turns[turn]);
      try {
        const expected = usual.filter((line) => untold?.includes(line) !== true).concat(advised);
        expect(adviceIn(await printed(service.url)).toSorted()).toEqual(expected.toSorted());
        const remaining = traits === undefined ? undefined : adviceIn(await printed(service.url, traits)).toSorted();
        expect(remaining).toEqual(traits === undefined ? undefined : usual.concat(left ?? []).toSorted());
      } finally {
        await service.close();
      }
    },
  );

  describe('for one with another protocol', () => {
    it('for the document alone: that it cannot be checked', async () => {
      const second = await serveFunded(fair, () => Date.now());
      const advised = adviceIn(await printed(second.url));
      await second.close();
      // The address has no payment service as documented: even its 401 has other words.
      expect(advised).toHaveLength(1);
      expect(advised[0]).toContain(secret);
    });

    /** Through its own adapter. */
    const printedOfSecond = async (changes: Partial<SecondOptions> = {}, token?: string): Promise<string> => {
      const second = await serveFunded(fair, () => Date.now(), changes);
      try {
        const provider = createSecondProvider({ url: second.url, token: token ?? second.token, timeoutMs: minute });
        const text = describeFindings(await checkPort({ provider }, questions), provider.traits);
        expect(second.payouts).toEqual([]);
        return text;
      } finally {
        await second.close();
      }
    };

    it('through its adapter: the same table, with a line for each missing feature', async () => {
      expect(await printedOfSecond()).toBe(`\
      what                                   found
----  -------------------------------------  ----------------------------------------------------
good  balance                                decimals: IDR 0, usdt-tron 0
good  fiat payment methods                   3 of IDR
good  crypto payment methods                 1 of usdt-tron
note  fiat list                              not asked: there is none
note  crypto list                            not asked: there is none
good  fiat lookup of an unknown reference    absent
good  crypto lookup of an unknown reference  absent
note  proof of an unknown disbursement       not asked: it has no proofs
good  crypto fee estimate                    1 for 1.5 usdt-tron
note  conversion quote                       usdt-tron to IDR: The provider makes no conversions.

What follows:
note: Follow asks about each payout in each sweep, at one request each.
  (fiat list, crypto list)
note: To do without conversions, set orchestrator.conversionSources to []. A batch that is short then awaits funds.
  (conversion quote)

Only a payment would show these traits, so they were not checked:
payoutsPerCall 1
rails.fiat.referenceUniqueHours 24
rails.fiat.hiddenHours 1
rails.crypto.referenceUniqueHours 24
rails.crypto.hiddenHours 1`);
    });

    it.each<[string, Route[], string]>([
      [
        'without estimates',
        routes.map(({ price, ...route }) => (route.unit === 'IDR' && price ? { ...route, price } : route)),
        'wrong: A batch with wallets pauses before any of it is paid. (crypto fee estimate)',
      ],
      [
        'without wallets',
        routes.filter(({ unit }) => unit === 'IDR'),
        'note: Rows of this rail are refused. (crypto payment methods)',
      ],
    ])('%s: the consequence', async (_, its, advised) => {
      expect(adviceIn(await printedOfSecond({ routes: its }))).toContain(advised);
    });

    it('for a refused token: nothing passes, and each answer by its code', async () => {
      const text = await printedOfSecond({}, 'another');
      expect(text).not.toMatch(/^good/m);
      expect(text).toContain('wrong  balance                                GET /funds: status_401');
    });
  });
});
