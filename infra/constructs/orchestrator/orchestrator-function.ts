import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { OrchestratorSettings } from '../../../functions/domain/settings.ts';
import { orchestratorSettings } from '../../../functions/domain/settings.ts';
import type { FunctionRow } from '../../function-table/function-row.ts';
import type { NodeFunctionProps } from '../node-function.ts';
import { NodeFunction } from '../node-function.ts';
import type { PayoutFiles } from './payout-files.ts';
import type { PayoutLedger } from './payout-ledger.ts';
import type { ProviderAccess } from './provider-access.ts';

/** What the functions of the orchestrator work with. */
export interface OrchestratorParts {
  readonly ledger: PayoutLedger;
  readonly files: PayoutFiles;
  readonly provider: ProviderAccess;
  readonly settings: OrchestratorSettings;
  /** Undefined for the workflow's own steps, which are made before it. */
  readonly workflow?: { readonly allow: (user: NodeFunction, access: NonNullable<FunctionRow['workflow']>) => void };
}

/**
 * The environment variable with the orchestrator's settings. Functions know the defaults themselves, and leaving these out
 * leaves room for the bank codes of 50 more BICs.
 */
export const settingsEnvironment = (settings: OrchestratorSettings): Record<string, string> => {
  const defaults = new Map<string, unknown>(Object.entries(orchestratorSettings().parse({})));
  const isSet = ([name, value]: readonly [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(defaults.get(name));
  return { SETTINGS: JSON.stringify(Object.fromEntries(Object.entries(settings).filter(isSet))) };
};

/**
 * Makes the function of a row in the function table. It may do what the row says, and its environment has what it needs for that.
 *
 * @param more options and environment variables besides the row's
 */
export const orchestratorFunction = (
  scope: Construct,
  name: string,
  { entry, description, timeoutSeconds, memoryMb, ...may }: FunctionRow,
  { ledger, files, provider, settings, workflow }: OrchestratorParts,
  more: Pick<NodeFunctionProps, 'environment' | 'reservedConcurrentExecutions'> = {},
): NodeFunction => {
  const made = new NodeFunction(scope, name, {
    ...more,
    entry,
    description,
    timeout: Duration.seconds(timeoutSeconds),
    memoryMb,
    environment: {
      ...settingsEnvironment(settings),
      ...(may.ledger && { LEDGER_TABLE: ledger.table.tableName }),
      ...(may.files && files.environment(may.files)),
      ...(may.provider && provider.environment(may.provider)),
      ...(may.showsPace && provider.limits()),
      ...more.environment,
    },
  });
  if (may.ledger !== undefined) ledger.allow(made, may.ledger);
  if (may.files !== undefined) files.allow(made, may.files);
  if (may.provider !== undefined) provider.allow(made, may.provider);
  if (may.workflow !== undefined) {
    if (workflow === undefined) throw new Error(`${name} is made before the workflow`);
    workflow.allow(made, may.workflow);
  }
  return made;
};
