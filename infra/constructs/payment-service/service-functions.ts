import { Duration } from 'aws-cdk-lib';
import type { RecursiveLoop } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { PaymentServiceSettings } from '../../../functions/payment-service/settings.ts';
import { NodeFunction } from '../node-function.ts';
import type { AllCredentials } from './merchant-credentials.ts';
import type { ServiceTable, TableAccess } from './service-table.ts';

export interface ServiceParts {
  readonly table: ServiceTable;
  readonly credentials: AllCredentials;
  readonly settings: PaymentServiceSettings;
}

export interface ServiceFunctionProps {
  /** Its file in functions/payment-service. */
  readonly entry: string;
  readonly description: string;
  readonly timeout: Duration;
  readonly memoryMb?: number;
  readonly access: readonly TableAccess[];
  /** Whether it reads the merchants' credentials. */
  readonly readsCredentials?: true;
  readonly environment?: Readonly<Record<string, string>>;
  readonly recursiveLoop?: RecursiveLoop;
}

/** A function of the payment service, with the table, the settings and the given rights. */
export const serviceFunction = (
  scope: Construct,
  id: string,
  { table, credentials, settings }: ServiceParts,
  props: ServiceFunctionProps,
): NodeFunction => {
  const made = new NodeFunction(scope, id, {
    entry: `functions/payment-service/${props.entry}`,
    description: props.description,
    timeout: props.timeout,
    memoryMb: props.memoryMb ?? 1024,
    ...(props.recursiveLoop === undefined ? {} : { recursiveLoop: props.recursiveLoop }),
    environment: {
      TABLE_NAME: table.table.tableName,
      SETTINGS: JSON.stringify(settings),
      ...props.environment,
    },
  });
  table.allow(made, props.access);
  if (props.readsCredentials) credentials.allowReading(made);
  return made;
};

/** API Gateway stops waiting at 29 seconds, and would drop a later answer. */
export const requestTimeout = Duration.seconds(28);
