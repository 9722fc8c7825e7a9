import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { longestWaitSeconds, submitMargins } from '../../functions/domain/settings.ts';
import { documentedTraits } from '../../functions/provider/settings.ts';
import { backgroundFunctions } from '../../infra/function-table/background-functions.ts';
import { postingFunctionSeconds, postingTaskSeconds } from '../../infra/function-table/workflow-steps.ts';
import { keepsData, providerKinds, settingsFrom, WrongSettings } from '../../infra/settings.ts';
import { realProvider } from '../support/real-provider.ts';
import { localAws } from '../support/synthesized.ts';

const from = (context: Readonly<Record<string, unknown>>, awsEndpoint = localAws) => settingsFrom(context, awsEndpoint);

const documentOf = (name: string): string => readFileSync(new URL(`../../infra/${name}`, import.meta.url), 'utf8');
const document = documentOf('SETTINGS.md');

/** Returns the names of settings, including nested ones. The sandbox's own are described elsewhere. */
const namesOf = (settings: object): readonly string[] =>
  Object.entries(settings).flatMap(([name, value]) =>
    value !== null && typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length > 0
      ? namesOf(value)
      : [name],
  );

const { paymentService: _, provider: defaultProvider, ...others } = settingsFrom({}, undefined);
const { kind: __, ...providerSettings } = defaultProvider;
const optional = ['alarmTopicArn', 'alarmEmail', 'notifyEmail', 'eventWebhook'];

describe('infra/SETTINGS.md', () => {
  it.each([...new Set([...namesOf(others), ...namesOf(providerSettings), ...optional])])('describes %s', (name) => {
    expect(document).toMatch(new RegExp(`^\\|[^|]*\`(\\w+\\.)*${name}\``, 'm'));
  });
});

const providerTerms = new Set(providerKinds.options.flatMap(({ shape }) => Object.keys(shape)));

it.each([...providerTerms])('SETTINGS.md explains %s of a provider, or DEPLOYING.md shows it', (term) => {
  const documents = `${document}${documentOf('DEPLOYING.md')}`;
  expect(documents).toMatch(new RegExp(`\`provider\\.${term}(\\.…)?\`|"${term}":`));
});

describe('settings of the infra', () => {
  it('requires none', () => {
    expect(from({})).toMatchObject({ stage: 'production', region: 'us-east-1', provider: { kind: 'sandbox' } });
  });

  it('reads objects and numbers from the command line, where everything is text', () => {
    expect(
      from({ submitsAtOnce: '8', orchestrator: '{"maxRows":1000}', provider: '{"kind":"sandbox"}' }),
    ).toMatchObject({ submitsAtOnce: 8, orchestrator: { maxRows: 1000 }, provider: { kind: 'sandbox' } });
  });

  it('needs only configuration for a real account, with a rate that most providers accept', () => {
    expect(from({ provider: realProvider }).provider).toEqual({
      ...realProvider,
      traits: documentedTraits(),
      postsPerSecond: 20,
      readsPerSecond: 50,
      staticAddresses: 0,
    });
  });

  it('accepts any rate of the provider, including fractions and 0', () => {
    const provider = { kind: 'sandbox', postsPerSecond: 0.5, readsPerSecond: 0 };
    expect(from({ provider: JSON.stringify(provider) }).provider).toMatchObject(provider);
  });

  it.each([
    ['an invalid stage name', { stage: 'Production!' }, 'stage'],
    ['an invalid region', { region: 'europe' }, 'region'],
    ['a provider of an unknown kind', { provider: { kind: 'bank' } }, 'provider'],
    [
      'a provider without TLS',
      {
        provider: {
          kind: 'service',
          baseUrl: 'http://pay',
          signingSecretName: 'a',
          authorizationSecretName: 'a',
          signing: 'hmac-sha256',
        },
      },
      'baseUrl',
    ],
    ['an unknown kind of signature', { provider: { ...realProvider, signing: 'rsa' } }, 'hmac-sha256'],
    [
      'a provider without TLS on this machine, away from a local AWS',
      { provider: { ...realProvider, baseUrl: 'http://127.0.0.1:8080' } },
      'provider.baseUrl: is http://127.0.0.1:8080, and stage is production',
    ],
    [
      'a provider without TLS on another machine, on a local AWS',
      { stage: 'local', provider: { ...realProvider, baseUrl: 'http://10.0.0.1' } },
      'provider.baseUrl',
    ],
    ['a user in the address', { provider: { ...realProvider, baseUrl: 'https://me:x@pay.example' } }, 'no user'],
    ['a query in the address', { provider: { ...realProvider, baseUrl: 'https://pay.example?v=1' } }, 'no user'],
    [
      'a provider without credentials',
      { provider: { kind: 'service', baseUrl: 'https://pay.example' } },
      'authorizationSecretName',
    ],
    ['a negative rate', { provider: { kind: 'sandbox', postsPerSecond: -1 } }, 'postsPerSecond'],
    ['a rate too close to 0', { provider: { kind: 'sandbox', readsPerSecond: 0.001 } }, 'readsPerSecond'],
    ['no concurrency', { submitsAtOnce: 0 }, 'submitsAtOnce'],
    ['an invalid alarm address', { alarmEmail: 'ops' }, 'alarmEmail'],
    ['an invalid address for notices', { notifyEmail: 'clerk' }, 'notifyEmail'],
    ['a webhook without TLS', { eventWebhook: { url: 'http://hooks.example', secretName: 's' } }, 'eventWebhook.url'],
    [
      'a webhook without TLS to another machine, on the local AWS',
      { stage: 'local', eventWebhook: { url: 'http://10.0.0.1/hooks', secretName: 's' } },
      'eventWebhook.url',
    ],
    ...['https://me:secret@hooks.example', 'https://me@hooks.example', 'https://hooks.example/#here'].map(
      (url): [string, Readonly<Record<string, unknown>>, string] => [
        `a webhook at ${url}`,
        { eventWebhook: { url, secretName: 's' } },
        'eventWebhook.url: an address without user or fragment',
      ],
    ),
    ['a webhook that is not a web address', { eventWebhook: { url: 'ftp://hooks.example', secretName: 's' } }, 'url'],
    ['a webhook without a secret', { eventWebhook: { url: 'https://hooks.example' } }, 'secretName'],
    ['a misspelled setting', { orchestrator: { maxRow: 5 } }, 'maxRow'],
    ['invalid JSON', { orchestrator: '{maxRows:5}' }, 'orchestrator'],
    ['a slippage of 100%', { orchestrator: { maxSlippagePercent: '100' } }, 'maxSlippagePercent'],
    ['a limit that is not text', { orchestrator: { maxBatchAmount: { IDR: 5 } } }, 'maxBatchAmount'],
    ['a BIC of another length', { orchestrator: { bankCodesByBic: { BCA: 'BCA' } } }, 'BCA: a BIC such as CENAIDJA'],
    ['an unknown time zone', { orchestrator: { limitTimezone: 'Mars/Olympus' } }, 'limitTimezone'],
    ['an approver by name', { orchestrator: { approvers: ['treasurer'] } }, 'approvers'],
    ['following for more than a year', { orchestrator: { followDays: 366 } }, 'followDays'],
    ['an HTTP timeout above the maximum', { orchestrator: { httpTimeoutSeconds: 31 } }, 'httpTimeoutSeconds'],
    ['a misspelled setting of the payment service', { paymentService: { sandbx: true } }, 'sandbx'],
  ])('refuses %s and names it', (_, context, named) => {
    expect(() => from(context)).toThrow(WrongSettings);
    expect(() => from(context)).toThrow(new RegExp(named));
  });

  const contradictions: [Readonly<Record<string, unknown>>, string][] = [
    [
      { stage: 'local', orchestrator: { httpTimeoutSeconds: 25, resolveAfterSeconds: 25 } },
      'orchestrator.httpTimeoutSeconds: is 25, and resolveAfterSeconds is 25: ',
    ],
    [
      { orchestrator: { resolveAfterSeconds: 100 } },
      'orchestrator.resolveAfterSeconds: is 100, and a task that posts may take 100 s: ',
    ],
    [
      { orchestrator: { maxFileBytes: 11, maxUnpackedBytes: 10 } },
      'orchestrator.maxFileBytes: is 11, and maxUnpackedBytes is 10: ',
    ],
    [{ orchestrator: { pollFirstSeconds: 301 } }, 'orchestrator.pollFirstSeconds: is 301, and pollMaxSeconds is 300: '],
    [
      { orchestrator: { pollMaxSeconds: 865, followDays: 0.01, onHoldFollowMinutes: 0 } },
      'orchestrator.pollMaxSeconds: is 865, and followDays is 0.01, 864 s: ',
    ],
    [
      { orchestrator: { onHoldFollowMinutes: 1441, followDays: 1 } },
      'orchestrator.onHoldFollowMinutes: is 1441, and followDays is 1, 1440 minutes: ',
    ],
    [
      { orchestrator: { fundsRecheckSeconds: 3601, fundsWaitHours: 1 } },
      'orchestrator.fundsRecheckSeconds: is 3601, and fundsWaitHours is 1, 3600 s: ',
    ],
    [
      { orchestrator: { webhooks: { lookupWindowSeconds: 61, retryWaitsSeconds: [20, 40] } } },
      'orchestrator.webhooks.lookupWindowSeconds: is 61, and webhooks.retryWaitsSeconds are 60 s in all: ',
    ],
    [
      { paymentService: { batchSizeLimit: 97 } },
      'provider.traits.payoutsPerCall: is 98, and paymentService.batchSizeLimit is 97: ',
    ],
    [
      { paymentService: { maximumPageSize: 99 } },
      'provider.traits.pageLimit: is 100, and paymentService.maximumPageSize is 99: ',
    ],
    [
      { provider: { kind: 'sandbox', traits: { rails: { fiat: { hiddenHours: 0.2 } } } } },
      'provider.traits.rails.fiat.hiddenHours: is 0.2, 720 s, and orchestrator.resolveAfterSeconds is 120: ',
    ],
    [{ orchestrator: { reconcileAfterDays: [1, 1] } }, 'orchestrator.reconcileAfterDays: is 1, 1: '],
    [{ reservedSubmitConcurrency: 39 }, 'reservedSubmitConcurrency: is 39, and submitsAtOnce is 40: '],
    [
      { alarmEmail: 'ops@example.com', alarmTopicArn: 'arn:aws:sns:us-east-1:123456789012:ops' },
      'alarmEmail: is given, and alarmTopicArn is arn:aws:sns:us-east-1:123456789012:ops: ',
    ],
    [{ objectLockMode: 'compliance' }, 'objectLockMode: is compliance, and objectLockDays is 0: '],
  ];
  it.each(contradictions)('refuses the contradiction in %j, and says why', (context, message) => {
    expect(() => from(context)).toThrow(WrongSettings);
    expect(() => from(context)).toThrow(`\n  ${message}`);
  });

  it.each([
    { orchestrator: { pollFirstSeconds: 300 } },
    { orchestrator: { reconcileAfterDays: [] } },
    { orchestrator: { reconcileAfterDays: [0.5, 1, 365] } },
    { orchestrator: { onHoldFollowMinutes: 1440, followDays: 1 } },
    { orchestrator: { fundsRecheckSeconds: 3600, fundsWaitHours: 1 } },
    { orchestrator: { webhooks: { lookupWindowSeconds: 60, retryWaitsSeconds: [20, 40] } } },
    { orchestrator: { resolveAfterSeconds: 101, followDays: 365 } },
    { provider: realProvider, paymentService: { batchSizeLimit: 10 } },
    { stage: 'local', provider: { ...realProvider, baseUrl: 'http://127.0.0.1:8080/pay' } },
    { eventWebhook: { url: 'https://hooks.example/in?merchant=7', secretName: 's' } },
    { reservedSubmitConcurrency: 40 },
    { objectLockMode: 'compliance', objectLockDays: 1 },
    { stage: 'local', localEndpoint: 'https://localhost:4566' },
  ])('accepts %j, which has no contradiction', (context) => {
    expect(() => from(context)).not.toThrow();
  });

  it.each(
    [
      ['idr', 'is spelled IDR'],
      ['Idr', 'is spelled IDR'],
      ['USDT-TRON', 'is spelled usdt-tron'],
      ['IDRR', 'is not a currency that a batch can pay'],
      ['XYZ', 'is not a currency that a batch can pay'],
    ].flatMap(([code, reason]) =>
      ['maxBatchAmount', 'maxDayAmount', 'approvalAbove'].map((limit) => [limit, code, reason]),
    ),
  )('refuses a limit that would never apply: %s in %s', (limit = '', code = '', reason = '') => {
    const orchestrator = { [limit]: { [code]: '1000000' } };
    expect(() => from({ orchestrator })).toThrow(WrongSettings);
    expect(() => from({ orchestrator })).toThrow(`\n  orchestrator.${limit}.${code}: ${reason}`);
  });

  it.each([
    ['USDT-TRON', 'is spelled usdt-tron'],
    ['usdt tron', 'is not a code'],
  ])('refuses the conversion source %s, which no balance is called', (code, reason) => {
    const orchestrator = { conversionSources: ['usdc-polygon', code] };
    expect(() => from({ orchestrator })).toThrow(`\n  orchestrator.conversionSources.1: ${reason}`);
  });

  it('accepts limits and conversion sources in the spelling of batches', () => {
    const orchestrator = { maxBatchAmount: { IDR: '1', 'usdt-tron': '2.5' }, conversionSources: ['abc-net'] };
    expect(from({ orchestrator }).orchestrator).toMatchObject(orchestrator);
  });

  it.each([
    [{ submitConcurrency: 40 }, 'submitConcurrency: is called reservedSubmitConcurrency now'],
    [{ webhookSecretName: 'given/webhook', submitsAtOnce: 0 }, 'webhookSecretName: is called webhookSecretPrefix now'],
  ])('refuses the former name in %j instead of ignoring it', (context, message) => {
    expect(() => from(context)).toThrow(WrongSettings);
    expect(() => from(context)).toThrow(`\n  ${message}`);
  });

  it.each([
    [{ orchestrators: { approvalHours: 1 } }, 'orchestrators: is no setting'],
    [{ Stage: 'throwaway-1', submitsAtOnce: 0 }, 'Stage: is no setting'],
    [{ constructor: 'x' }, 'constructor: is no setting'],
  ])('refuses a name in %j that no setting has', (context, message) => {
    expect(() => from(context)).toThrow(`\n  ${message}`);
  });

  it.each([
    { alarmMail: '' },
    { alarmMail: undefined },
    { 'aws:cdk:bundling-stacks': [] },
    { 'acknowledged-issue-numbers': [1] },
  ])('ignores %j', (context) => {
    expect(from(context)).toEqual(from({}));
  });

  it('reports all contradictions together', () => {
    const context = {
      objectLockMode: 'compliance',
      reservedSubmitConcurrency: 1,
      orchestrator: { pollFirstSeconds: 400, fundsRecheckSeconds: 3601, fundsWaitHours: 1, resolveAfterSeconds: 60 },
    };
    for (const setting of [
      'objectLockMode',
      'reservedSubmitConcurrency',
      'orchestrator.pollFirstSeconds',
      'orchestrator.fundsRecheckSeconds',
      'orchestrator.resolveAfterSeconds',
    ])
      expect(() => from(context)).toThrow(`\n  ${setting}: is `);
  });

  it.each([
    { eventWebhook: { url: 'https://merchant.example/hooks', secretName: 'merchant/events', waitsSeconds: [43_000] } },
    { orchestrator: { webhooks: { retryWaitsSeconds: [43_000] } } },
  ])('refuses a wait that SQS refuses after the longest try: %j', (context) => {
    expect(() => from(context)).toThrow(/waitsSeconds\.0: Too big/i);
    const { DeliverEvents, ApplyWebhook } = backgroundFunctions;
    for (const { timeoutSeconds } of [DeliverEvents, ApplyWebhook])
      expect(longestWaitSeconds + timeoutSeconds).toBeLessThan(12 * 3600);
  });

  it('gives a posting function time for claim, request and answer, and its task time to stop it', () => {
    const longest = from({ orchestrator: { httpTimeoutSeconds: 30 } }).orchestrator.httpTimeoutSeconds * 1000;
    const { claimMs, recordMs } = submitMargins;
    expect(claimMs + longest + recordMs).toBeLessThan(postingFunctionSeconds * 1000);
    expect(postingFunctionSeconds).toBeLessThan(postingTaskSeconds);
  });

  describe('of the local AWS', () => {
    const onAws = (context: Readonly<Record<string, unknown>>, awsEndpoint?: string) => () =>
      settingsFrom(context, awsEndpoint);

    it.each([
      [{ stage: 'local' }, undefined, 'stage: is local, and AWS_ENDPOINT_URL is not set: '],
      [
        { stage: 'local' },
        'https://sts.eu-west-1.amazonaws.com',
        'stage: is local, and AWS_ENDPOINT_URL is https://sts.eu-west-1.amazonaws.com: ',
      ],
      [{ stage: 'local' }, 'localhost:4566', 'stage: is local, and AWS_ENDPOINT_URL is localhost:4566: '],
      [
        { localEndpoint: 'https://localhost:4566' },
        undefined,
        'localEndpoint: is https://localhost:4566, and AWS_ENDPOINT_URL is not set: ',
      ],
    ])('%j are refused when AWS is at %s', (context, awsEndpoint, message) => {
      expect(onAws(context, awsEndpoint)).toThrow(WrongSettings);
      expect(onAws(context, awsEndpoint)).toThrow(`\n  ${message}`);
    });

    it.each(['https://localhost:4566', 'https://127.0.0.1:4566', 'http://[::1]:4566'])(
      'are accepted when AWS is at %s',
      (endpoint) => {
        expect(onAws({ stage: 'local', localEndpoint: endpoint }, endpoint)().stage).toBe('local');
        expect(onAws({ stage: 'staging', localEndpoint: endpoint }, endpoint)().stage).toBe('staging');
      },
    );
  });

  it.each([
    ['production', true],
    ['staging', true],
    ['localhost', true],
    ['throwaways', true],
    ['local', false],
    ['throwaway', true],
    ['throwaway-1', false],
  ])('the stage %s keeps its data: %s', (stage, keeps) => {
    expect(keepsData(stage)).toBe(keeps);
  });

  it('allows earlier lookups of calls in the local stage', () => {
    expect(from({ stage: 'local', orchestrator: { resolveAfterSeconds: 30 } }).orchestrator.resolveAfterSeconds).toBe(
      30,
    );
  });
});
