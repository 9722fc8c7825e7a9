import * as z from 'zod';
import type { Contradictions } from '../functions/domain/settings.ts';
import { absenceProofsSeconds, orchestratorSettings, refuseContradictions } from '../functions/domain/settings.ts';
import { paymentServiceSettings } from '../functions/payment-service/settings.ts';
import { providerTraits, signingSchemes } from '../functions/provider/settings.ts';
import { postingTaskSeconds } from './function-table/workflow-steps.ts';

/**
 * Requests a second that the provider takes from us, for all batches and functions together. Fractions are slower than one a
 * second; 0 sets no limit.
 */
const perSecond = z
  .number()
  .max(1000)
  .refine((rate) => rate === 0 || rate >= 0.01, 'at least 0.01, or 0 for no limit');

const providerTerms = {
  /** What changes something: submissions and conversions. */
  postsPerSecond: perSecond.default(20),
  /** Everything else. Transfer proofs take what the rest leaves of it. */
  readsPerSecond: perSecond.default(50),
  /**
   * Addresses that it sees all its callers come from, for one that lists them: each is a NAT gateway's, in a zone of its own. 0
   * makes no network.
   */
  staticAddresses: z.int().min(0).max(3).default(0),
  /** What the provider chose where its document is silent. */
  traits: providerTraits().prefault({}),
};

/** Who makes the payouts: the sandbox of this repository's own stack, or a real account of the payment service. */
const provider = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('sandbox'), ...providerTerms }),
  z.strictObject({
    kind: z.literal('service'),
    baseUrl: z.url({ protocol: /^https?$/, error: 'an https address' }).refine((url) => {
      const { username, password, search, hash } = new URL(url);
      return `${username}${password}${search}${hash}` === '';
    }, 'an address alone: no user, query or fragment'),
    /** Two Secrets Manager secrets that exist already; what they hold is told in functions/provider/SIGNING.md. */
    signingSecretName: z.string().min(1),
    authorizationSecretName: z.string().min(1),
    /** The key of one's own that both secrets are encrypted with, if it is one. */
    secretsKeyArn: z
      .string()
      .regex(/^arn:[a-z-]+:kms:[a-z0-9-]+:\d{12}:key\/[A-Za-z0-9-]+$/, 'the ARN of a KMS key')
      .exactOptional(),
    /** The name of the signing scheme, one of those in functions/provider. */
    signing: z.enum(signingSchemes),
    ...providerTerms,
  }),
]);

const eventWebhook = z.strictObject({
  url: z.url({ protocol: /^https?$/, error: 'an https address' }),
  /** A Secrets Manager secret that exists already: `{"secrets":["whsec_…"]}`, two while one replaces the other. */
  secretName: z.string().regex(/^[A-Za-z0-9/_+=.@-]{1,512}$/, 'the name of a secret'),
  /** Between tries; after one try more than there are waits an event is set aside. 8 waits of 36.8 hours in all. */
  waitsSeconds: z
    .array(z.int().min(1).max(43_200))
    .min(1)
    .max(20)
    .default([5, 300, 1800, 7200, 18_000, 36_000, 36_000, 36_000]),
});

/** Whether it is on this machine: where plain HTTP is spoken to oneself, and where a local AWS listens. */
const isLoopback = (url: string): boolean =>
  URL.canParse(url) && ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname);

/** What is deployed at this stage outlives its stack, and the stack is protected from deletion. */
export const keepsData = (stage: string): boolean => stage !== 'local' && !/^throwaway(-|$)/.test(stage);

/** How the app is deployed. Each key is a CDK context key (`-c stage=local`, or in cdk.json); each has a default. */
const settingsByKey = z.strictObject({
  /** The end of the name of everything that has one, so that stages stand beside each other in an account. See `keepsData`. */
  stage: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,19}$/, 'lower-case letters, digits and dashes, at most 20')
    .default('production'),
  region: z
    .string()
    .regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'an AWS region, such as eu-west-1')
    .default('us-east-1'),
  provider: provider.prefault({ kind: 'sandbox' }),
  /** Calls being submitted at once: the Distributed Map's concurrency. Each is one provider request at a time. */
  submitsAtOnce: z.int().min(1).max(1000).default(40),
  /** Concurrency set aside for, and at most used by, the function that submits payouts. 0 sets nothing aside. */
  submitConcurrency: z.int().min(0).max(1000).default(0),
  /**
   * Write units a second that the tables and the ledger's index of payouts take from the first second on. 0 leaves what a new
   * table on demand starts with: 4,000.
   */
  warmWritesPerSecond: z
    .int()
    .max(40_000)
    .refine((units) => units === 0 || units >= 4000, 'at least 4,000, or 0 for what a new table starts with')
    .default(0),
  /** Requests a second to each endpoint of the operator API; bursts may be twice that. */
  apiRequestsPerSecond: z.int().min(1).max(10_000).default(50),
  /** Webhooks a second, apart from the operator API so that a flood of them takes nothing from it; bursts may be twice that. */
  webhookRequestsPerSecond: z.int().min(1).max(10_000).default(50),
  /** Minutes between two looks of the watch, which tells of what nobody else would: see functions/watch. */
  watchMinutes: z.int().min(1).max(60).default(5),
  /** What the name of the Secrets Manager secret begins with that is made for the webhook's address; `/<stage>` follows. */
  webhookSecretName: z
    .string()
    .regex(/^[A-Za-z0-9/_.-]{1,200}$/)
    .default('payout-orchestrator/webhook'),
  /** An SNS topic that hears of alarms. Without one a stage that keeps its data makes its own. */
  alarmTopicArn: z.string().startsWith('arn:').optional(),
  /** Subscribed to the topic that the stack makes; who reads it confirms once. */
  alarmEmail: z.email('a mail address').optional(),
  /** Told in words when a batch has ended or waits for a person; who reads it confirms once. */
  notifyEmail: z.email('a mail address').optional(),
  /** A merchant's address that gets every event, signed by Standard Webhooks: see functions/events. Nothing is posted without one. */
  eventWebhook: eventWebhook.optional(),
  /** Days for which nobody may delete proofs and reports (S3 Object Lock). 0 locks nothing. */
  objectLockDays: z.int().min(0).max(36_500).default(0),
  /** Whether somebody with the right to bypass it may delete them all the same (governance), or nobody at all. */
  objectLockMode: z.enum(['governance', 'compliance']).default('governance'),
  /**
   * Whether the role is set by which API Gateway writes logs: there is one for an account and region, and APIs with logs cannot be
   * deployed without.
   */
  setsApiLogRole: z.boolean().default(true),
  /** Set only by the local AWS: where it listens. */
  localEndpoint: z.url().optional(),
  /** How the orchestrator behaves, see functions/domain/settings.ts. */
  orchestrator: orchestratorSettings().prefault({}),
  /** How the payment service of this repository behaves, see functions/payment-service/settings.ts. */
  paymentService: paymentServiceSettings.prefault({}),
});

/** Less would believe a person sooner than a sweep. */
const lessThanProofs =
  (rail: 'fiat' | 'crypto') =>
  ({ provider: { traits }, orchestrator: { resolveAfterSeconds: age } }: z.infer<typeof settingsByKey>) => {
    const hours = traits.hiddenHours[rail];
    const take = absenceProofsSeconds(age);
    return (
      hours * 3600 < take &&
      `is ${hours}, ${hours * 3600} s, and orchestrator.resolveAfterSeconds is ${age}: three proofs of absence take ${take} s`
    );
  };

/** @param awsEndpoint where AWS is said to be; undefined is AWS itself */
const contradictions = (awsEndpoint: string | undefined): Contradictions<z.infer<typeof settingsByKey>> => ({
  stage: ({ stage }) =>
    stage === 'local' &&
    !isLoopback(awsEndpoint ?? '') &&
    `is local, and AWS_ENDPOINT_URL ${toldEndpoint(awsEndpoint)}: this stage keeps nothing and is for an AWS on this machine. One to be thrown away on a real account is named throwaway-…`,
  // The local stage may look calls up sooner, to be tried in less time.
  'orchestrator.resolveAfterSeconds': ({ stage, orchestrator: { resolveAfterSeconds: age } }) =>
    stage !== 'local' &&
    age <= postingTaskSeconds &&
    `is ${age}, and a task that posts may take ${postingTaskSeconds} s: a call may be looked up only when no function can still be making it`,
  'provider.traits.hiddenHours.fiat': lessThanProofs('fiat'),
  'provider.traits.hiddenHours.crypto': lessThanProofs('crypto'),
  'provider.traits.payoutsPerCall': ({ provider: { kind, traits }, paymentService: { batchSizeLimit: most } }) =>
    kind === 'sandbox' &&
    traits.payoutsPerCall > most &&
    `is ${traits.payoutsPerCall}, and paymentService.batchSizeLimit is ${most}: the sandbox would refuse every full call`,
  'provider.traits.pageLimit': ({ provider: { kind, traits }, paymentService: { maximumPageSize: most } }) =>
    kind === 'sandbox' &&
    traits.pageLimit > most &&
    `is ${traits.pageLimit}, and paymentService.maximumPageSize is ${most}: the sandbox would refuse every list`,
  submitConcurrency: ({ submitConcurrency: reserved, submitsAtOnce: submits }) =>
    reserved !== 0 &&
    reserved < submits &&
    `is ${reserved}, and submitsAtOnce is ${submits}: Lambda would turn away what is more than reserved`,
  alarmEmail: ({ alarmEmail, alarmTopicArn }) =>
    alarmEmail !== undefined &&
    alarmTopicArn !== undefined &&
    `is given, and alarmTopicArn is ${alarmTopicArn}: who owns a topic subscribes to it`,
  'eventWebhook.url': ({ eventWebhook: webhook, stage }) =>
    webhook !== undefined &&
    new URL(webhook.url).protocol !== 'https:' &&
    !(stage === 'local' && isLoopback(webhook.url)) &&
    `is ${webhook.url}, and stage is ${stage}: only https keeps events to their receiver, but for one on the machine of a local AWS`,
  objectLockMode: ({ objectLockMode: mode, objectLockDays: days }) =>
    mode !== 'governance' && days === 0 && `is ${mode}, and objectLockDays is ${days}: nothing would be locked`,
  'provider.baseUrl': ({ provider: account, stage }) =>
    account.kind === 'service' &&
    new URL(account.baseUrl).protocol !== 'https:' &&
    !(stage === 'local' && isLoopback(account.baseUrl)) &&
    `is ${account.baseUrl}, and stage is ${stage}: only https keeps the credentials to the provider, but for one on the machine of a local AWS`,
  'provider.staticAddresses': ({ provider: { staticAddresses: addresses }, stage }) =>
    stage === 'local' && addresses > 0 && `is ${addresses}, and stage is local: a local AWS has no NAT gateways`,
  localEndpoint: ({ localEndpoint: endpoint }) =>
    endpoint !== undefined &&
    !isLoopback(awsEndpoint ?? '') &&
    `is ${endpoint}, and AWS_ENDPOINT_URL ${toldEndpoint(awsEndpoint)}: only a local AWS listens there`,
});

const toldEndpoint = (awsEndpoint: string | undefined): string =>
  awsEndpoint === undefined ? 'is not set' : `is ${awsEndpoint}`;

export type InfraSettings = z.infer<typeof settingsByKey>;

/** A setting that is not what its description says; the message is for the person who set it. */
export class WrongSettings extends Error {
  override name = 'WrongSettings';
}

/** Context given on the command line is text whatever it holds, so JSON in it is read here. */
const read = (key: string, value: unknown): unknown => {
  if (typeof value !== 'string' || !/^([[{]|-?\d+(\.\d+)?$|true$|false$)/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    throw new WrongSettings(`The setting "${key}" starts like JSON and is none: ${value}`);
  }
};

/**
 * The settings from CDK context.
 *
 * @param context looks one key up, as `app.node.tryGetContext` does
 * @param awsEndpoint where AWS is said to be, by AWS_ENDPOINT_URL
 * @throws WrongSettings naming every setting that is wrong, and how
 */
export const settingsFrom = (context: (key: string) => unknown, awsEndpoint: string | undefined): InfraSettings => {
  const given = Object.keys(settingsByKey.shape).flatMap((key) => {
    const value = context(key);
    return value === undefined || value === '' ? [] : [[key, read(key, value)]];
  });
  const infraSettings = settingsByKey.superRefine(refuseContradictions(contradictions(awsEndpoint)));
  const parsed = infraSettings.safeParse(Object.fromEntries(given));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
  throw new WrongSettings(`These settings are wrong (infra/settings.ts describes them):\n${problems.join('\n')}`);
};
