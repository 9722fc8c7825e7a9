import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { DescribeKeyCommand, KMSClient, ListKeysCommand } from '@aws-sdk/client-kms';
import { ListBucketsCommand, S3Client } from '@aws-sdk/client-s3';
import { ListScheduleGroupsCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { inject } from 'vitest';
import { z } from 'zod';

/** Everything on the local AWS that a role could touch. */
export interface World {
  readonly ledger: string;
  readonly serviceTable: string;
  readonly files: string;
  readonly accessLogs: string;
  readonly dataKey: string;
  readonly serviceKey: string;
  readonly stateMachineArn: string;
  readonly scheduleGroup: string;
  readonly apiUrl: string;
  readonly eventBus: string;
  readonly noticeTopic: string;
  readonly queues: Readonly<Record<'Due' | 'Webhooks' | 'Undelivered' | 'Hints' | 'Unapplied', string>>;
  readonly secrets: Readonly<Record<'signing' | 'authorization' | 'merchant' | 'other' | 'webhookAddress', string>>;
}

/** The first name that matches. */
const named = (names: readonly (string | undefined)[], part: RegExp): string =>
  z
    .string({ error: `nothing is named like ${part}` })
    .parse(names.find((name) => name !== undefined && part.test(name)));

/** The ARN of the key with this description. */
const keyOf = async (description: RegExp): Promise<string> => {
  const keys = new KMSClient();
  const { Keys = [] } = await keys.send(new ListKeysCommand());
  const described = await Promise.all(Keys.map(({ KeyId }) => keys.send(new DescribeKeyCommand({ KeyId }))));
  return z
    .string()
    .parse(described.find((one) => description.test(one.KeyMetadata?.Description ?? ''))?.KeyMetadata?.Arn);
};

export const readWorld = async (): Promise<World> => {
  const { PayoutOrchestrator: orchestrator, PaymentService: service } = inject('localAws').outputs;
  const database = new DynamoDBClient();
  const tables = (await database.send(new ListTablesCommand())).TableNames ?? [];
  const buckets = (await new S3Client().send(new ListBucketsCommand())).Buckets ?? [];
  const queues = (await new SQSClient().send(new ListQueuesCommand())).QueueUrls ?? [];
  const groups = (await new SchedulerClient().send(new ListScheduleGroupsCommand())).ScheduleGroups ?? [];
  const merchant = z.string().parse(service['PaymentServiceCredentialsSecret']);
  return {
    ledger: orchestrator.LedgerTable,
    serviceTable: named(tables, /^PaymentService-local-ServiceTable/),
    files: orchestrator.FilesBucket,
    accessLogs: named(
      buckets.map(({ Name }) => Name),
      /payoutorchestrator-local-payoutfilesaccesslogs/,
    ),
    dataKey: await keyOf(/PayoutOrchestrator-local: .*payout ledger/),
    serviceKey: await keyOf(/PaymentService-local: .*payment service/),
    stateMachineArn: orchestrator.StateMachineArn,
    scheduleGroup: named(
      groups.map(({ Name }) => Name),
      /PayoutOrchestrator-local/,
    ),
    apiUrl: orchestrator.ApiUrl,
    eventBus: orchestrator.EventBusName,
    noticeTopic: orchestrator.NoticeTopicArn,
    queues: {
      Due: named(queues, /PaymentService-local-SettlementDue/),
      Webhooks: named(queues, /PaymentService-local-Webhooks[0-9A-F]{8}/),
      Undelivered: named(queues, /PaymentService-local-WebhooksUndelivered/),
      Hints: named(queues, /PayoutOrchestrator-local-WebhooksHints/),
      Unapplied: named(queues, /PayoutOrchestrator-local-WebhooksUnapplied/),
    },
    secrets: {
      signing: `${merchant}/signing`,
      authorization: `${merchant}/authorization`,
      merchant,
      other: `${merchant}/api-key`,
      webhookAddress: orchestrator.WebhookSecretName,
    },
  };
};
