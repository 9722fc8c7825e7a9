import * as z from 'zod';
import type { Contradictions } from '../functions/domain/settings.ts';
import {
  absenceProofsSeconds,
  orchestratorSettings,
  refuseContradictions,
  retryWaits,
} from '../functions/domain/settings.ts';
import { paymentServiceSettings } from '../functions/payment-service/settings.ts';
import { providerTraits, signingSchemes } from '../functions/provider/settings.ts';
import { postingTaskSeconds } from './function-table/workflow-steps.ts';

/** Limit of requests a second to the provider, for all batches and functions together. It may be a fraction. 0 sets no limit. */
const perSecond = z
  .number()
  .max(1000)
  .refine((rate) => rate === 0 || rate >= 0.01, 'at least 0.01, or 0 for no limit');

/** Each is in a zone of its own, and every region has at least three. */
export const mostStaticAddresses = 3;

const providerTerms = {
  /** For requests that change something: submissions and conversions. */
  postsPerSecond: perSecond.default(20),
  /** For all other requests. Transfer proofs, ids in webhooks, and comparisons of ended batches use what the others leave. */
  readsPerSecond: perSecond.default(50),
  /**
   * Number of fixed addresses that all requests come from, for a provider that lists its callers. Each belongs to a NAT gateway
   * in a separate zone. 0 creates no network.
   */
  staticAddresses: z.int().min(0).max(mostStaticAddresses).default(0),
  /**
   * Name of the merchant's account. A batch is continued only with the account it was planned for. Defaults to the provider's
   * address, and to `sandbox`. Change it with the credentials, when these are of another account.
   */
  account: z.string().min(1).max(200).exactOptional(),
  /** How the provider behaves where its document is silent. */
  traits: providerTraits().prefault({}),
};

/** The provider that makes the payouts: this repository's sandbox, or a real account of the payment service. */
export const providerKinds = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('sandbox'), ...providerTerms }),
  z.strictObject({
    kind: z.literal('service'),
    /** Address of the payment service, without a slash at the end. */
    baseUrl: z.url({ protocol: /^https?$/, error: 'an https address' }).refine((url) => {
      const { username, password, search, hash } = new URL(url);
      return `${username}${password}${search}${hash}` === '';
    }, 'an address alone: no user, query or fragment'),
    /**
     * An existing secret in Secrets Manager with `clientId` and `clientSecret`: functions/provider/SIGNING.md shows its
     * content. They sign lookups, lists, quotes, crypto fees and proofs, and cannot move money.
     */
    signingSecretName: z.string().min(1),
    /** The same with `apiKey`. It authorizes everything that moves money, and reads of balances and payment methods. */
    authorizationSecretName: z.string().min(1),
    /** The customer-managed KMS key of both secrets, if they have one. */
    secretsKeyArn: z
      .string()
      .regex(/^arn:[a-z-]+:kms:[a-z0-9-]+:\d{12}:key\/[A-Za-z0-9-]+$/, 'the ARN of a KMS key')
      .exactOptional(),
    /** A signing scheme of functions/provider. */
    signing: z.enum(signingSchemes),
    ...providerTerms,
  }),
]);

const eventWebhook = z.strictObject({
  /** Its query belongs to the receiver. `fetch` refuses an address with a user. */
  url: z.url({ protocol: /^https?$/, error: 'an https address' }).refine((url) => {
    const { username, password, hash } = new URL(url);
    return `${username}${password}${hash}` === '';
  }, 'an address without user or fragment'),
  /** An existing secret in Secrets Manager: `{"secrets":["whsec_…"]}`, with two secrets while one replaces the other. */
  secretName: z.string().regex(/^[A-Za-z0-9/_+=.@-]{1,512}$/, 'the name of a secret'),
  /** Waits between attempts. After one more attempt than waits the event is set aside: by default 9 attempts in 37.6 hours. */
  waitsSeconds: retryWaits().default([5, 300, 1800, 7200, 18_000, 36_000, 36_000, 36_000]),
});

/** Whether the address is on this machine: only there plain HTTP is safe, and only there a local AWS listens. */
const isLoopback = (url: string): boolean =>
  URL.canParse(url) && ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname);

/** Whether the stage's data outlives its stacks. They are then protected from deletion. */
export const keepsData = (stage: string): boolean => stage !== 'local' && !stage.startsWith('throwaway-');

/** The settings of a deployment. Each is a CDK context key (`-c stage=local`, or in cdk.json). None has to be given. */
const settingsByKey = z.strictObject({
  /** Ends every fixed name, so that an account can have several stages. See `keepsData`. */
  stage: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,19}$/, 'lower-case letters, digits and dashes, at most 20')
    .default('production'),
  region: z
    .string()
    .regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'an AWS region, such as eu-west-1')
    .default('us-east-1'),
  provider: providerKinds.prefault({ kind: 'sandbox' }),
  /** Concurrent submissions of one batch: the Distributed Map's concurrency. Each makes one provider request at a time. */
  submitsAtOnce: z.int().min(1).max(1000).default(40),
  /** Reserved concurrency of SubmitChunk, which is also its limit. 0 reserves none. */
  reservedSubmitConcurrency: z.int().min(0).max(1000).default(0),
  /** Write units a second that tables take from the first second, with the ledger's index of payouts. 0 leaves AWS's 4,000. */
  warmWritesPerSecond: z
    .int()
    .max(40_000)
    .refine((units) => units === 0 || units >= 4000, 'at least 4,000, or 0 for the 4,000 of a new table')
    .default(0),
  /** Requests a second to each endpoint of the operator API. Bursts may be twice as high. */
  apiRequestsPerSecond: z.int().min(1).max(10_000).default(50),
  /** Webhooks a second, limited separately so that a flood of them cannot block operators. Bursts may be twice as high. */
  webhookRequestsPerSecond: z.int().min(1).max(10_000).default(50),
  /** Minutes between two runs of WatchBatches, and of PublishOverdue. */
  watchMinutes: z.int().min(1).max(60).default(5),
  /** Prefix of the name of the secret with the webhook's address. `/<stage>` follows. */
  webhookSecretPrefix: z
    .string()
    .regex(/^[A-Za-z0-9/_.-]{1,200}$/)
    .default('payout-orchestrator/webhook'),
  /** An SNS topic for alarms. Without it each stack that keeps its data, or has an `alarmEmail`, creates one. */
  alarmTopicArn: z.string().startsWith('arn:').optional(),
  /** Subscribed to the topic that each stack creates. Its owner has to confirm each. */
  alarmEmail: z.email('a mail address').optional(),
  /** Gets a notice when a batch has ended, or waits for a person or money. Its owner has to confirm once. */
  notifyEmail: z.email('a mail address').optional(),
  /** A merchant's address that gets every event, signed by Standard Webhooks: see functions/events. */
  eventWebhook: eventWebhook.optional(),
  /** How many days proofs and reports cannot be deleted (S3 Object Lock). 0 locks nothing. */
  objectLockDays: z.int().min(0).max(36_500).default(0),
  /** `governance`: callers with the right to bypass the lock may still delete. `compliance`: nobody may. */
  objectLockMode: z.enum(['governance', 'compliance']).default('governance'),
  /**
   * Whether it sets the role that lets API Gateway write logs. An account has one for each region, and an API with logs needs
   * it.
   */
  setsApiLogRole: z.boolean().default(true),
  /** Endpoint of the local AWS, which alone sets it. */
  localEndpoint: z.url().optional(),
  /** Behavior of the orchestrator: see functions/domain/settings.ts. */
  orchestrator: orchestratorSettings().prefault({}),
  /** Behavior of this repository's payment service: see functions/payment-service/settings.ts. */
  paymentService: paymentServiceSettings.prefault({}),
});

/** Former names of settings. */
const renamed: ReadonlyMap<string, keyof typeof settingsByKey.shape> = new Map([
  ['submitConcurrency', 'reservedSubmitConcurrency'],
  ['webhookSecretName', 'webhookSecretPrefix'],
]);

/** Describes a key that no setting has. It is refused: if a misspelled limit were ignored, payouts above it would be made. */
const describeUnknown = (key: string): string => {
  const name = renamed.get(key);
  return `  ${key}: ${name === undefined ? 'is no setting' : `is called ${name} now`}`;
};

/** With less, a person's word would count sooner than a sweep's proof of absence. */
const lessThanProofs =
  (rail: 'fiat' | 'crypto') =>
  ({ provider: { traits }, orchestrator: { resolveAfterSeconds: age } }: z.infer<typeof settingsByKey>) => {
    const hours = traits.rails[rail].hiddenHours;
    const take = absenceProofsSeconds(age);
    return (
      hours * 3600 < take &&
      `is ${hours}, ${hours * 3600} s, and orchestrator.resolveAfterSeconds is ${age}: three proofs of absence take ${take} s`
    );
  };

const withoutTls = (url: string, stage: string, what: string) =>
  new URL(url).protocol !== 'https:' &&
  !(stage === 'local' && isLoopback(url)) &&
  `is ${url}, and stage is ${stage}: ${what} need https, except on the machine of a local AWS`;

/** @param awsEndpoint the value of AWS_ENDPOINT_URL. Undefined is AWS itself */
const contradictions = (awsEndpoint: string | undefined): Contradictions<z.infer<typeof settingsByKey>> => ({
  stage: ({ stage }) =>
    stage === 'local' &&
    !isLoopback(awsEndpoint ?? '') &&
    `is local, and AWS_ENDPOINT_URL ${describeEndpoint(awsEndpoint)}: this stage keeps no data, and only an AWS on this machine may have it. On a real account use a stage named throwaway-…`,
  // The local stage may look calls up sooner, so that trying it takes less time.
  'orchestrator.resolveAfterSeconds': ({ stage, orchestrator: { resolveAfterSeconds: age } }) =>
    stage !== 'local' &&
    age <= postingTaskSeconds &&
    `is ${age}, and a task that posts may take ${postingTaskSeconds} s: a call may be looked up only when no function can still be making it`,
  'provider.traits.rails.fiat.hiddenHours': lessThanProofs('fiat'),
  'provider.traits.rails.crypto.hiddenHours': lessThanProofs('crypto'),
  'provider.traits.payoutsPerCall': ({ provider: { kind, traits }, paymentService: { batchSizeLimit: most } }) =>
    kind === 'sandbox' &&
    traits.payoutsPerCall > most &&
    `is ${traits.payoutsPerCall}, and paymentService.batchSizeLimit is ${most}: the sandbox would refuse every full call`,
  'provider.traits.pageLimit': ({ provider: { kind, traits }, paymentService: { maximumPageSize: most } }) =>
    kind === 'sandbox' &&
    traits.pageLimit > most &&
    `is ${traits.pageLimit}, and paymentService.maximumPageSize is ${most}: the sandbox would refuse every list`,
  reservedSubmitConcurrency: ({ reservedSubmitConcurrency: reserved, submitsAtOnce: submits }) =>
    reserved !== 0 &&
    reserved < submits &&
    `is ${reserved}, and submitsAtOnce is ${submits}: Lambda would throttle the difference`,
  alarmEmail: ({ alarmEmail, alarmTopicArn }) =>
    alarmEmail !== undefined &&
    alarmTopicArn !== undefined &&
    `is given, and alarmTopicArn is ${alarmTopicArn}: subscribe the address to that topic yourself`,
  'eventWebhook.url': ({ eventWebhook: webhook, stage }) =>
    webhook !== undefined && withoutTls(webhook.url, stage, 'events'),
  objectLockMode: ({ objectLockMode: mode, objectLockDays: days }) =>
    mode !== 'governance' && days === 0 && `is ${mode}, and objectLockDays is ${days}: nothing would be locked`,
  'provider.baseUrl': ({ provider: account, stage }) =>
    account.kind === 'service' && withoutTls(account.baseUrl, stage, 'credentials'),
  'provider.staticAddresses': ({ provider: { staticAddresses: addresses }, stage }) =>
    stage === 'local' && addresses > 0 && `is ${addresses}, and stage is local: a local AWS has no NAT gateways`,
  localEndpoint: ({ localEndpoint: endpoint }) =>
    endpoint !== undefined &&
    !isLoopback(awsEndpoint ?? '') &&
    `is ${endpoint}, and AWS_ENDPOINT_URL ${describeEndpoint(awsEndpoint)}: this setting is only for a local AWS`,
});

const describeEndpoint = (awsEndpoint: string | undefined): string =>
  awsEndpoint === undefined ? 'is not set' : `is ${awsEndpoint}`;

export type InfraSettings = z.infer<typeof settingsByKey>;

/** Wrong settings. The message is for the person who set them. */
export class WrongSettings extends Error {
  override name = 'WrongSettings';
}

/** Parses JSON in a value of the command line, which is always text. */
const read = (key: string, value: unknown): unknown => {
  if (typeof value !== 'string' || !/^([[{]|-?\d+(\.\d+)?$|true$|false$)/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    throw new WrongSettings(`The setting "${key}" starts like JSON but is not: ${value}`);
  }
};

/** The shape of a setting's key. The CDK's keys, and those that it asks to keep in cdk.json, have a colon, a slash or a dash. */
const settingShape = /^[A-Za-z]+$/;

/** What is wrong, in our words: zod itself says of a key only that it is invalid. */
const reasonOf = (issue: z.core.$ZodIssue): string =>
  issue.code === 'invalid_key' ? issue.issues.map(({ message }) => message).join(', ') : issue.message;

/**
 * Reads the settings from CDK context.
 *
 * @param context with the keys of the CDK, like `app.node.getAllContext()`. An empty value sets nothing
 * @param awsEndpoint the value of AWS_ENDPOINT_URL
 * @throws WrongSettings that lists every wrong setting and why
 */
export const settingsFrom = (
  context: Readonly<Record<string, unknown>>,
  awsEndpoint: string | undefined,
): InfraSettings => {
  const isGiven = (key: string): boolean => context[key] !== undefined && context[key] !== '';
  const keys = Object.keys(context).filter((key) => settingShape.test(key) && isGiven(key));
  const isSetting = (key: string): boolean => Object.hasOwn(settingsByKey.shape, key);
  const given = keys.filter(isSetting).map((key) => [key, read(key, context[key])]);
  const unknown = keys.filter((key) => !isSetting(key));
  const infraSettings = settingsByKey.superRefine(refuseContradictions(contradictions(awsEndpoint)));
  const parsed = infraSettings.safeParse(Object.fromEntries(given));
  if (parsed.success && unknown.length === 0) return parsed.data;
  const problems = [
    ...unknown.map(describeUnknown),
    ...(parsed.error?.issues ?? []).map((issue) => `  ${issue.path.join('.')}: ${reasonOf(issue)}`),
  ];
  throw new WrongSettings(`These settings are wrong (infra/SETTINGS.md describes them):\n${problems.join('\n')}`);
};
