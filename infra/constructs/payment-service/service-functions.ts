import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { PaymentServiceSettings } from '../../../functions/payment-service/settings.ts';
import type { NodeFunctionProps } from '../node-function.ts';
import { NodeFunction } from '../node-function.ts';
import type { AllCredentials } from './merchant-credentials.ts';
import type { ServiceTable, TableAccess } from './service-table.ts';

export interface ServiceParts {
  readonly table: ServiceTable;
  readonly credentials: AllCredentials;
  readonly settings: PaymentServiceSettings;
}

interface ServiceFunctionProps extends Pick<NodeFunctionProps, 'memoryMb' | 'environment' | 'recursiveLoop'> {
  /** Its file in functions/payment-service. */
  readonly entry: string;
  readonly description: string;
  readonly timeout: Duration;
  readonly access: readonly TableAccess[];
  /** Whether it reads the merchants' credentials. */
  readonly readsCredentials?: true;
}

/** A function of the payment service, with the table, the settings and the given rights. */
export const serviceFunction = (
  scope: Construct,
  id: string,
  { table, credentials, settings }: ServiceParts,
  { entry, access, readsCredentials, environment, ...options }: ServiceFunctionProps,
): NodeFunction => {
  const made = new NodeFunction(scope, id, {
    memoryMb: 1024,
    ...options,
    entry: `functions/payment-service/${entry}`,
    environment: { TABLE_NAME: table.table.tableName, SETTINGS: JSON.stringify(settings), ...environment },
  });
  table.allow(made, access);
  if (readsCredentials) credentials.allowReading(made);
  return made;
};

/** API Gateway stops waiting at 29 seconds, and would drop a later answer. */
export const requestTimeout = Duration.seconds(28);
