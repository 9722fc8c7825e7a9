import { readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  CloudWatchLogsClient,
  paginateDescribeLogGroups,
  paginateFilterLogEvents,
} from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { GetSecretValueCommand, paginateListSecrets, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { paginateGetExecutionHistory, paginateListExecutions, SFNClient } from '@aws-sdk/client-sfn';
import { executionFamily } from '../../infra/local/costs/workflow-usage.ts';

/** A text that someone may read later, and its place. */
export interface Kept {
  readonly where: string;
  readonly text: string;
}

/** Every line of every log group whose name has this prefix. */
export const keptLogs = async (prefix: string): Promise<readonly Kept[]> => {
  const client = new CloudWatchLogsClient();
  const lines: Kept[] = [];
  for await (const { logGroups } of paginateDescribeLogGroups({ client }, { logGroupNamePrefix: prefix })) {
    for (const { logGroupName = '' } of logGroups ?? []) {
      for await (const { events } of paginateFilterLogEvents({ client }, { logGroupName })) {
        for (const { message = '' } of events ?? []) lines.push({ where: logGroupName, text: message });
      }
    }
  }
  return lines;
};

/** Every event of a state machine's executions and their children, with inputs, outputs, errors and causes. */
export const keptHistories = async (stateMachineArn: string): Promise<readonly Kept[]> => {
  const client = new SFNClient();
  const events: Kept[] = [];
  for await (const { executions } of paginateListExecutions({ client }, { stateMachineArn })) {
    for (const { executionArn = '' } of executions ?? []) {
      for (const arn of await executionFamily(client, executionArn)) {
        const history = paginateGetExecutionHistory({ client }, { executionArn: arn, includeExecutionData: true });
        for await (const page of history) {
          for (const event of page.events ?? []) events.push({ where: arn, text: JSON.stringify(event) });
        }
      }
    }
  }
  return events;
};

/** Every item of the ledger except webhooks, whose bodies are the provider's. */
export const keptItems = async (table: string): Promise<readonly Kept[]> => {
  const items: Kept[] = [];
  for await (const { Items } of paginateScan({ client: new DynamoDBClient() }, { TableName: table })) {
    for (const item of Items ?? []) {
      if (item['sk']?.S !== 'WEBHOOK') items.push({ where: item['pk']?.S ?? '', text: JSON.stringify(item) });
    }
  }
  return items;
};

/** The log of the local AWS itself, including crashes of its functions. */
export const keptByLocalAws = async (folder: string): Promise<readonly Kept[]> => {
  const text = await readFile(path.join(folder, 'emulator.log'), 'utf8');
  return text.split('\n').map((line) => ({ where: 'emulator.log', text: line }));
};

/** The values in a secret: each text of a JSON object except ids, otherwise the whole secret. */
const valuesIn = (secret: string): readonly string[] => {
  if (!secret.startsWith('{')) return [secret];
  const values = Object.entries(JSON.parse(secret)).flatMap(([key, value]) =>
    key === 'clientId' ? [] : [value].flat(),
  );
  return values.filter((value) => typeof value === 'string');
};

/** The values of all secrets. */
export const secretValues = async (): Promise<readonly string[]> => {
  const client = new SecretsManagerClient();
  const values: string[] = [];
  for await (const { SecretList } of paginateListSecrets({ client }, {})) {
    for (const { Name } of SecretList ?? []) {
      const { SecretString = '' } = await client.send(new GetSecretValueCommand({ SecretId: Name }));
      values.push(...valuesIn(SecretString));
    }
  }
  return [...new Set(values)];
};

/**
 * The characters of base64 that depend only on the value, when this many bytes precede it and any follow. A character holds six
 * bits, so one at each end may also hold bits of a neighbor.
 */
const base64After = (bytes: number, value: string): string => {
  const text = Buffer.concat([Buffer.alloc(bytes), Buffer.from(value)]);
  const whole = Math.floor((text.byteLength * 8) / 6);
  return text.toString('base64').slice(Math.ceil((bytes * 8) / 6), whole);
};

/** The forms in which a value may appear: plain, in JSON, URL-encoded, and inside of base64, all in lower case. */
const writings = (value: string): readonly string[] =>
  [
    ...[value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)],
    ...[0, 1, 2].map((bytes) => base64After(bytes, value)),
  ].map((one) => one.toLowerCase());

/** The places that contain one of the values, each once. Because this is printed, a secret is cut to its first letters. */
export const leaksOf = (values: readonly string[], among: readonly Kept[]): readonly string[] => {
  const wanted = values.map((value) => ({ shown: `${value.slice(0, 6)}…`, forms: [...new Set(writings(value))] }));
  const found = among.flatMap(({ where, text }) => {
    const lower = text.toLowerCase();
    return wanted.flatMap(({ shown, forms }) =>
      forms.some((form) => lower.includes(form)) ? [`${shown} in ${where}`] : [],
    );
  });
  return [...new Set(found)];
};
