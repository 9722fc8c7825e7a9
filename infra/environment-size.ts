import type { App } from 'aws-cdk-lib';
import { Stack } from 'aws-cdk-lib';
import { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import * as z from 'zod';
import { WrongSettings } from './settings.ts';

/** Lambda's limit for the environment of a function. It measures all variables as one JSON text. */
const mostBytes = 4096;

/**
 * Lengths of what only the deployment fills in: AWS's own terms, such as its domain, and names of resources, at most a queue's
 * address.
 */
const unknownLengths = { ofAws: 16, ofResource: 130 } as const;

const environment = z.object({ variables: z.record(z.string(), z.unknown()) });
const joined = z.object({ 'Fn::Join': z.tuple([z.string(), z.array(z.unknown())]) });
const fromAws = z.object({ Ref: z.string().startsWith('AWS::') });

/** A text that is at least as long as the variable's value will be. */
const filledIn = (value: unknown): string => {
  if (typeof value === 'string') return value;
  const join = joined.safeParse(value).data?.['Fn::Join'];
  if (join !== undefined) return join[1].map(filledIn).join(join[0]);
  return '-'.repeat(unknownLengths[fromAws.safeParse(value).success ? 'ofAws' : 'ofResource']);
};

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** The settings in a variable. Undefined for one that no setting makes long. */
const settingIn = (variable: string, lambda: CfnFunction): string | undefined => {
  if (variable === 'SETTINGS') return Stack.of(lambda).node.id === 'PaymentService' ? 'paymentService' : 'orchestrator';
  if (variable === 'EVENT_WEBHOOK') return 'eventWebhook';
  return variable.startsWith('PROVIDER_') ? 'provider' : undefined;
};

/** What is too long, if Lambda would refuse the environment of a function. */
const excessOf = (lambda: CfnFunction): string | undefined => {
  const { variables } = environment.parse(Stack.of(lambda).resolve(lambda.environment));
  const values = Object.entries(variables).map(([name, value]) => [name, filledIn(value)] as const);
  const bytes = bytesOf(Object.fromEntries(values));
  if (bytes <= mostBytes) return undefined;
  const shares = Map.groupBy(values, ([name]) => settingIn(name, lambda));
  shares.delete(undefined);
  const told = [...shares].map(([setting, share]) => `${setting} takes ${bytesOf(Object.fromEntries(share))}`);
  return `${lambda.node.path.replace('/Resource', '')} would get about ${bytes} bytes: ${told.join(', ')}`;
};

/**
 * Refuses settings that do not fit into the environment of a function: CloudFormation would notice in the middle of a deployment.
 *
 * @throws WrongSettings that names the function, and how long its settings are
 */
export const refuseLongEnvironments = (app: App): void => {
  const functions = app.node.findAll().filter((one) => one instanceof CfnFunction);
  const [excess] = functions.flatMap((made) => excessOf(made) ?? []);
  if (excess === undefined) return;
  throw new WrongSettings(
    `These settings are too long, such as orchestrator.bankCodesByBic. The environment of a function holds ${mostBytes} bytes:\n  ${excess}`,
  );
};
