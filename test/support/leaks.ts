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

/** A text somebody may read later, and where it was found. */
export interface Kept {
  readonly where: string;
  readonly text: string;
}

/** Every line in every log group whose name begins so. */
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

/** Every event of every execution of a state machine and of their children, with inputs, outputs, errors and causes. */
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

/** Every item of the ledger but the webhooks, whose bodies are the provider's. */
export const keptItems = async (table: string): Promise<readonly Kept[]> => {
  const items: Kept[] = [];
  for await (const { Items } of paginateScan({ client: new DynamoDBClient() }, { TableName: table })) {
    for (const item of Items ?? []) {
      if (item['sk']?.S !== 'WEBHOOK') items.push({ where: item['pk']?.S ?? '', text: JSON.stringify(item) });
    }
  }
  return items;
};

/** What the local AWS itself wrote down, its functions' crashes among it. */
export const keptByLocalAws = async (folder: string): Promise<readonly Kept[]> => {
  const text = await readFile(path.join(folder, 'emulator.log'), 'utf8');
  return text.split('\n').map((line) => ({ where: 'emulator.log', text: line }));
};

/** The values in a secret: of a JSON object each of its texts but ids, else all of it. */
const valuesIn = (secret: string): readonly string[] => {
  if (!secret.startsWith('{')) return [secret];
  const values = Object.entries(JSON.parse(secret)).flatMap(([key, value]) =>
    key === 'clientId' ? [] : [value].flat(),
  );
  return values.filter((value) => typeof value === 'string');
};

/** Every secret value there is. */
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

/** A value as it may have been written: as it is, in JSON, in an address, in base64, and in other letter case. */
const writings = (value: string): readonly string[] => {
  const base64 = Buffer.from(value).toString('base64').replace(/=+$/, '');
  return [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value), base64].map((one) => one.toLowerCase());
};

/** Which of the values stand where. Tells each place once, and of a secret its first letters only: this is printed. */
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
