import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { partitionPrefixes } from '../../functions/payment-service/store/keys.ts';
import { functionTable } from '../../infra/function-table/function-table.ts';
import { grantedLines } from '../support/roles/granted.ts';
import type { Added } from '../support/roles/policy-lines.ts';
import {
  differences,
  everythingAdded,
  functionLines,
  nothingAdded,
  orchestratorLines,
  paymentServiceLines,
} from '../support/roles/policy-lines.ts';
import type { Rights } from '../support/roles/rights.ts';
import { eventWebhookRights, orchestratorRights, paymentServiceRights } from '../support/roles/rights.ts';
import { composed, resourcesOf } from '../support/synthesized.ts';

const app = composed();
const resources = resourcesOf(app, 'PayoutOrchestrator');
const granted = {
  orchestrator: grantedLines(resources),
  'orchestrator with every setting': grantedLines(
    resourcesOf(
      composed({
        eventWebhook: { url: 'https://merchant.example/hooks', secretName: 'merchant/events' },
        objectLockDays: 30,
        reservedSubmitConcurrency: 40,
        alarmEmail: 'ops@merchant.example',
        notifyEmail: 'pay@merchant.example',
        provider: { kind: 'sandbox', staticAddresses: 2 },
      }),
      'PayoutOrchestrator',
    ),
  ),
  'payment service': grantedLines(resourcesOf(app, 'PaymentService')),
} as const;

describe('every role may do what test/support/roles/rights.ts states, and no more', () => {
  it.each([
    ['orchestrator', orchestratorLines(nothingAdded)],
    ['orchestrator with every setting', orchestratorLines(everythingAdded)],
    ['payment service', paymentServiceLines],
  ] as const)('in the %s', (stack, stated) => {
    expect(differences(stated, granted[stack])).toEqual([]);
  });
});

describe('a right on only one side is noticed', () => {
  const sides: readonly (readonly [string, Rights, Rights])[] = [
    ['orchestrator', orchestratorLines(everythingAdded), granted['orchestrator with every setting']],
    ['payment service', paymentServiceLines, granted['payment service']],
  ];

  it.each(sides)('when the stack of the %s lacks a line of a policy, or a function', (_, stated, found) => {
    const changes = Object.entries(found).flatMap(([role, lines]) => [
      { [role]: [] },
      ...lines.map((lost) => ({ [role]: lines.filter((line) => line !== lost) })),
    ]);
    expect(changes.length).toBeGreaterThan(100);
    expect(changes.filter((change) => differences(stated, { ...found, ...change }).length !== 1)).toEqual([]);
  });

  it.each([
    ['orchestrator', { ...orchestratorRights, ...eventWebhookRights }, everythingAdded],
    ['payment service', paymentServiceRights, nothingAdded],
  ] as readonly (readonly [string, Rights, Added])[])(
    'when rights.ts has lost it for the %s, because each right has lines of its own',
    (_, rights, added) => {
      const unnoticed = Object.entries(rights).flatMap(([name, some]) =>
        some.filter((lost) => {
          const rest = some.filter((right) => right !== lost);
          return functionLines(name, rest, added).length === functionLines(name, some, added).length;
        }),
      );
      expect(unnoticed).toEqual([]);
    },
  );
});

it('of the payment service’s functions, only those that delete items may write batches, which can delete too', () => {
  const may = (action: string) =>
    Object.entries(granted['payment service']).flatMap(([name, lines]) =>
      lines.some((line) => line.startsWith(`dynamodb:${action} `)) ? [name] : [],
    );
  expect(may('BatchWriteItem')).toEqual(may('DeleteItem'));
  expect(may('BatchWriteItem').toSorted()).toEqual(['Disbursements', 'SettleGroups']);
});

it('the payment service’s functions that move no money may write only items without money', () => {
  const anyItem = Object.entries(granted['payment service']).flatMap(([name, lines]) =>
    lines.some((line) => /^dynamodb:(Put|Update)Item <ServiceTable.Arn>$/.test(line)) ? [name] : [],
  );
  const moveMoney = ['BalanceAndConvert', 'CheckoutPage', 'Deposits', 'Disbursements', 'SettleGroups'];
  expect(anyItem.toSorted()).toEqual(moveMoney);
  const limited = Object.values(granted['payment service'])
    .flat()
    .filter((line) => /^dynamodb:(Put|Update)Item .* if /.test(line));
  const prefixes = limited.map((line) => / dynamodb:LeadingKeys (\w+#)\*$/.exec(line)?.[1]);
  expect([...new Set(prefixes)].toSorted()).toEqual(Object.values(partitionPrefixes).toSorted());
});

describe.each(Object.entries(granted))('in the %s', (_, roles) => {
  const functions = Object.entries(roles).filter(([, lines]) => lines.some((line) => line.includes('Logs.Arn>')));

  it.each(functions)('%s names its actions one by one', (_name, lines) => {
    expect(lines.filter((line) => /^(not )?\S*\*\S* /.test(line))).toEqual([]);
  });

  it.each(functions)('%s may access any resource only for actions that AWS cannot restrict to one', (_name, lines) => {
    const anything = lines.filter((line) => / \*( |$)/.test(line) && !/^(xray:Put|(not )?ec2:)/.test(line));
    expect(anything.filter((line) => line !== 'dynamodb:ListStreams *')).toEqual([]);
  });
});

const environment = z.object({ Environment: z.object({ Variables: z.record(z.string(), z.unknown()) }) });

const functionOf = (name: string) =>
  resources.find(
    ({ Type, logicalId }) =>
      Type === 'AWS::Lambda::Function' && new RegExp(`^[A-Z]\\w*?${name}[0-9A-F]{8}$`).test(logicalId),
  );

const environmentOf = (name: string): Readonly<Record<string, unknown>> =>
  environment.parse(functionOf(name)?.Properties).Environment.Variables;

/** Environment variables, each with the values of functions/runtime.ts that need it. */
const needs = {
  LEDGER_TABLE: ['ledger'],
  FILES_BUCKET: ['files', 'filesBucket'],
  PROVIDER_ACCOUNT: ['provider', 'providerForOperators'],
  PROVIDER_BASE_URL: ['provider', 'providerForOperators'],
  PROVIDER_POSTS_PER_SECOND: ['provider', 'providerForOperators', 'pace'],
  PROVIDER_READS_PER_SECOND: ['provider', 'providerForOperators', 'pace'],
  EVENT_BUS_NAME: ['eventBus'],
  NOTICE_TOPIC_ARN: ['people'],
  API_URL: ['apiUrl'],
  STATE_MACHINE_ARN: ['workflow'],
  STEERING_FUNCTION: ['steeringFunction'],
  ZIP_FUNCTION: ['zipProofs'],
  PAUSE_FUNCTION: ['steer'],
  CANCEL_FUNCTION: ['steer'],
  BEGINNING_FUNCTION: ['beginningFunction'],
  START_FUNCTION: ['begin'],
  UPLOAD_PAGE: ['uploadPage'],
  HINT_QUEUE_URL: ['hintQueue', 'deadLetters'],
  WEBHOOK_SECRET_NAME: ['webhookSettings'],
};

const deployed = Object.entries(functionTable).filter(([name]) => name !== 'DeliverEvents');

/** The values of functions/runtime.ts that the file of a handler imports. */
const takenBy = (entry: string): readonly string[] => {
  const text = readFileSync(new URL(`../../${entry}`, import.meta.url), 'utf8');
  return /import \{([^}]+)\} from '(?:\.\.\/)+runtime\.ts'/.exec(text)?.[1]?.split(/[\s,]+/) ?? [];
};

const callsProvider = /^secret (signing|authorization)$/;

/** Values of functions/runtime.ts, each with the rights that only they need. */
const rightsFor = {
  people: /^notice publish$/,
  provider: callsProvider,
  providerForOperators: callsProvider,
  webhookSettings: /^secret webhook address$/,
} as const;

it.each(deployed)(
  '%s may notify people, call the provider and read the webhook’s secret only if its handler imports that',
  (name, { entry }) => {
    const taken = takenBy(entry).filter((one) => one in rightsFor);
    const rights = orchestratorRights[name] ?? [];
    const needed = Object.entries(rightsFor).filter(([value]) => taken.includes(value));
    const allowed = Object.values(rightsFor).filter((right) => rights.some((one) => right.test(one)));
    expect(new Set(allowed.map(String))).toEqual(new Set(needed.map(([, right]) => String(right))));
  },
);

describe('the environment', () => {
  it.each(deployed)('of %s has the variables that its handler needs, and no others', (name, { entry }) => {
    const taken = takenBy(entry);
    const needed = Object.entries(needs).filter(([, names]) => names.some((one) => taken.includes(one)));
    const found = environmentOf(name);
    expect(Object.keys(needs).filter((variable) => variable in found)).toEqual(needed.map(([variable]) => variable));
  });

  it.each(deployed)('lets %s call the provider only if it may store the rate limit in the ledger', (name) => {
    const rights = orchestratorRights[name] ?? [];
    const mayPace = rights.includes('ledger GetItem') && rights.includes('ledger PutItem');
    expect('PROVIDER_BASE_URL' in environmentOf(name) && !mayPace).toBe(false);
  });
});

it('a function that waits for another has a longer timeout', () => {
  const timeoutOf = (name: string): number =>
    z.object({ Timeout: z.int() }).parse(functionOf(name)?.Properties).Timeout;
  const waits = Object.entries(orchestratorRights).flatMap(([name, rights]) =>
    rights.flatMap((right) => (right.startsWith('invoke ') ? [[name, right.slice('invoke '.length)] as const] : [])),
  );
  expect(waits).toHaveLength(4);
  for (const [name, invoked] of waits) expect(timeoutOf(name)).toBeGreaterThan(timeoutOf(invoked));
});

it('a hint goes to the dead-letter queue after one attempt more than there are waits', () => {
  const queue = resources.find(({ logicalId }) => /^WebhooksHints[0-9A-F]{8}$/.test(logicalId));
  expect(queue?.Properties).toMatchObject({ RedrivePolicy: { maxReceiveCount: 12 }, VisibilityTimeout: 6 * 330 });
});
