import type { Rights } from './rights.ts';
import {
  eventWebhookRights,
  keyUses,
  networkRights,
  orchestratorRights,
  paymentServiceRights,
  serviceRights,
} from './rights.ts';

/** Additions by settings: locked records, a network for the functions that call the provider, and the merchant's webhook. */
export interface Added {
  readonly locks: boolean;
  readonly network: boolean;
  readonly eventWebhook: boolean;
}

export const nothingAdded: Added = { locks: false, network: false, eventWebhook: false };
export const everythingAdded: Added = { locks: true, network: true, eventWebhook: true };

const on = (actions: string, ...resources: readonly string[]): readonly string[] =>
  actions.split(' ').flatMap((action) => resources.map((resource) => `${action} ${resource}`));

const table = '<PayoutLedgerTable.Arn>';
const bucket = '<PayoutFilesBucket.Arn>';
const machine = '<BatchWorkflowStateMachine>';
const executions = 'arn:states:execution:<BatchWorkflowStateMachine.Name>';
const puts = 's3:PutObject s3:AbortMultipartUpload';
const readsStream = 'dynamodb:DescribeStream dynamodb:GetRecords dynamodb:GetShardIterator';
const readsKey = 'kms:Decrypt kms:DescribeKey';
const writesKey =
  'kms:Encrypt kms:GenerateDataKey kms:GenerateDataKeyWithoutPlaintext kms:ReEncryptFrom kms:ReEncryptTo';
const consumes =
  'sqs:ChangeMessageVisibility sqs:DeleteMessage sqs:GetQueueAttributes sqs:GetQueueUrl sqs:ReceiveMessage';
const merchant = 'arn:secretsmanager:secret:payment-service/merchants/production';

const serviceTable = '<ServiceTable.Arn>';

const ofItems = (actions: string, prefix: string, of = table): readonly string[] =>
  on(actions, `${of} if ForAllValues:StringLike dynamodb:LeadingKeys ${prefix}*`);

const queues: Readonly<Record<string, string>> = {
  Hints: '<WebhooksHints.Arn>',
  Unapplied: '<WebhooksUnapplied.Arn>',
  EventQueue: '<EventWebhookQueue.Arn>',
  EventsUndelivered: '<EventWebhookUndelivered.Arn>',
  Due: '<SettlementDue.Arn>',
  Webhooks: '<Webhooks.Arn>',
  Undelivered: '<WebhooksUndelivered.Arn>',
};

/** The construct of a function that another one invokes. All except one are endpoints. */
const constructOf = (name: string): string => (name === 'BeginScheduled' ? 'Schedules' : 'OperatorApi');

/** The policy lines of each right. Rights on the ledger, on queues and on functions follow a pattern instead. */
const lines: Readonly<Record<string, readonly string[]>> = {
  'events keep': ofItems('dynamodb:PutItem dynamodb:UpdateItem dynamodb:DeleteItem', 'EVENTS#'),
  'stream read': [...on(readsStream, '<PayoutLedgerTable.StreamArn>'), 'dynamodb:ListStreams *'],
  'uploads find': [`s3:ListBucket ${bucket}`],
  'uploads list': [`s3:ListBucketVersions ${bucket} if StringLike s3:prefix uploads/*`],
  'uploads read': on('s3:GetObject s3:GetObjectVersion', `${bucket}/uploads/*`),
  'plans read': [`s3:GetObject ${bucket}/batches/*/plan-*`],
  'plans write': on(puts, `${bucket}/batches/*/plan-*`),
  'rounds write': on(puts, `${bucket}/batches/*/submit/*`),
  'proofs read': [`s3:GetObject ${bucket}/batches/*/proofs/*`],
  'proofs write': on(puts, `${bucket}/batches/*/proofs/*`),
  'proofs lock': [`s3:PutObjectRetention ${bucket}/batches/*/proofs/*`],
  'reports read': [`s3:GetObject ${bucket}/batches/*/reports/*`],
  'reports write': on(puts, `${bucket}/batches/*/reports/*`),
  'reports lock': [`s3:PutObjectRetention ${bucket}/batches/*/reports/*`],
  'errors read': ['errors.csv', 'to-correct.*', 'repeated-debts.csv', 'pain-002.xml'].map(
    (name) => `s3:GetObject ${bucket}/batches/*/plan-*/${name}`,
  ),
  'archives read': [`s3:GetObject ${bucket}/archives/*`],
  'archives write': on(puts, `${bucket}/archives/*`),
  'secret signing': [`secretsmanager:GetSecretValue ${merchant}/sandbox-merchant/signing-??????`],
  'secret authorization': [`secretsmanager:GetSecretValue ${merchant}/sandbox-merchant/authorization-??????`],
  'secret webhook address': [
    'secretsmanager:GetSecretValue arn:secretsmanager:secret:payout-orchestrator/webhook/production-??????',
  ],
  'secret event webhook': ['secretsmanager:GetSecretValue arn:secretsmanager:secret:merchant/events-??????'],
  'secrets merchants': ['sandbox-merchant', 'sandbox-basic', 'sandbox-second'].map(
    (name) => `secretsmanager:GetSecretValue ${merchant}/${name}-??????`,
  ),
  'workflow start': [`states:StartExecution ${machine}`],
  'workflow describe': [`states:DescribeExecution ${executions}:*`],
  'schedule make': ['scheduler:CreateSchedule arn:scheduler:schedule/<SchedulesGroup>/*'],
  'schedule take back': ['scheduler:DeleteSchedule arn:scheduler:schedule/<SchedulesGroup>/*'],
  'schedule hand over role': [
    'iam:PassRole <SchedulesSchedulerRole.Arn> if StringEquals iam:PassedToService scheduler.amazonaws.com',
  ],
  'events put': ['events:PutEvents <EventsBus.Arn>'],
  'notice publish': ['sns:Publish <NoticesTopic>'],
  'service stream read': [...on(readsStream, '<ServiceTable.StreamArn>'), 'dynamodb:ListStreams *'],
  'map read manifests': on('s3:GetObject', `${bucket}/batches/*/plan-*/manifest.json`, `${bucket}/batches/*/submit/*`),
  'map keep results': [
    ...on(`${puts} s3:GetObject s3:ListMultipartUploadParts`, `${bucket}/map-results/*`),
    ...on('kms:Decrypt kms:GenerateDataKey', '<DataKey.Arn>'),
  ],
  'map run children': [
    `states:StartExecution ${machine}`,
    ...on(
      'states:DescribeExecution states:StopExecution states:RedriveExecution',
      `${executions}/*`,
      `${executions}:*`,
    ),
  ],
  'execution logs': on(
    'logs:CreateLogDelivery logs:DeleteLogDelivery logs:DescribeLogGroups logs:DescribeResourcePolicies logs:GetLogDelivery logs:ListLogDeliveries logs:PutResourcePolicy logs:UpdateLogDelivery',
    '*',
  ),
  'execution traces': on(
    'xray:GetSamplingRules xray:GetSamplingTargets xray:PutTelemetryRecords xray:PutTraceSegments',
    '*',
  ),
  'refused traffic log': on(
    'logs:CreateLogStream logs:PutLogEvents logs:DescribeLogStreams',
    '<ProviderNetworkRefusedTraffic.Arn>',
  ),
};

const patterns: readonly (readonly [RegExp, (...parts: readonly string[]) => readonly string[]])[] = [
  [/^ledger (\w+)$/, (action = '') => [`dynamodb:${action} ${table}`]],
  [/^ledger (\w+) of (\w+#)$/, (action = '', prefix = '') => ofItems(`dynamodb:${action}`, prefix)],
  [/^index ([\w-]+)$/, (index = '') => [`dynamodb:Query ${table}/index/${index}`]],
  [/^service table (\w+)$/, (action = '') => [`dynamodb:${action} ${serviceTable}`]],
  [
    /^service table (\w+) of (\w+#)$/,
    (action = '', prefix = '') => ofItems(`dynamodb:${action}`, prefix, serviceTable),
  ],
  [/^(\w+) send$/, (queue = '') => [`sqs:SendMessage ${queues[queue]}`]],
  [/^(\w+) consume$/, (queue = '') => on(consumes, queues[queue] ?? '')],
  [
    /^(\w+) take$/,
    (queue = '') => on('sqs:DeleteMessage sqs:GetQueueAttributes sqs:ReceiveMessage', queues[queue] ?? ''),
  ],
  [/^invoke (\w+)$/, (name = '') => [`lambda:InvokeFunction <${constructOf(name)}${name}.Arn>`]],
  [/^invoke versions of (\w+)$/, (step = '') => [`lambda:InvokeFunction <BatchWorkflow${step}.Arn>:*`]],
];

/** The policy lines of a right. */
const linesOf = (right: string): readonly string[] => {
  const known = lines[right];
  if (known !== undefined) return known;
  for (const [pattern, make] of patterns) {
    const found = pattern.exec(right);
    if (found !== null) return make(...found.slice(1));
  }
  throw new Error(`unknown right "${right}"`);
};

const keys = { key: '<DataKey.Arn>', 'service key': '<ServiceTableKey.Arn>' } as const;

const keyLines = (rights: readonly string[]): readonly string[] =>
  keyUses(rights).flatMap(({ key, writes }) => on(writes ? `${readsKey} ${writesKey}` : readsKey, keys[key]));

const connects =
  'ec2:AssignPrivateIpAddresses ec2:CreateNetworkInterface ec2:DeleteNetworkInterface ec2:DescribeNetworkInterfaces ec2:DescribeSubnets ec2:UnassignPrivateIpAddresses';

/** Lambda attaches a function to the network with the function's role. The function's own code must not. */
const networkLines = (rights: readonly string[]): readonly string[] =>
  rights.includes('secret signing') || rights.includes('secret authorization')
    ? [...on(connects, '*'), ...on(connects, '* if Null lambda:SourceFunctionArn false').map((line) => `not ${line}`)]
    : [];

const ownLines = (name: string): readonly string[] => [
  ...on('logs:CreateLogStream logs:PutLogEvents', `<${name}Logs.Arn>`),
  ...on('xray:PutTelemetryRecords xray:PutTraceSegments', '*'),
];

/** All policy lines of a function with these rights, sorted. */
export const functionLines = (name: string, rights: readonly string[], added: Added): readonly string[] => {
  const deployed = rights.filter((right) => added.locks || !right.endsWith(' lock'));
  const lines = [
    ...deployed.flatMap(linesOf),
    ...keyLines(deployed),
    ...(added.network ? networkLines(deployed) : []),
    ...ownLines(name),
  ];
  return [...new Set(lines)].toSorted();
};

const linesByName = (
  rights: Rights,
  linesFor: (name: string, rights: readonly string[]) => readonly string[],
): Rights => Object.fromEntries(Object.entries(rights).map(([name, some]) => [name, linesFor(name, some)]));

/** The permissions of every role of the orchestrator, as stated in rights.ts. */
export const orchestratorLines = (added: Added): Rights => ({
  ...linesByName({ ...orchestratorRights, ...(added.eventWebhook ? eventWebhookRights : {}) }, (name, rights) =>
    functionLines(name, rights, added),
  ),
  ...linesByName({ ...serviceRights, ...(added.network ? networkRights : {}) }, (_, rights) =>
    rights.flatMap(linesOf).toSorted(),
  ),
});

/** The permissions of every role of the payment service, as stated in rights.ts. */
export const paymentServiceLines = linesByName(paymentServiceRights, (name, rights) =>
  functionLines(name, rights, nothingAdded),
);

export interface Difference {
  readonly role: string;
  readonly missing: readonly string[];
  readonly tooMany: readonly string[];
}

/** Roles whose policies differ from rights.ts, each with its missing and surplus lines. */
export const differences = (stated: Rights, granted: Rights): readonly Difference[] =>
  [...new Set([...Object.keys(stated), ...Object.keys(granted)])].flatMap((role) => {
    const [expected, found] = [stated[role] ?? [], granted[role] ?? []];
    const missing = expected.filter((line) => !found.includes(line));
    const tooMany = found.filter((line) => !expected.includes(line));
    return missing.length + tooMany.length === 0 ? [] : [{ role, missing, tooMany }];
  });
