import { backgroundFunctions } from './background-functions.ts';
import { consoleFunctions } from './console-functions.ts';
import type { FunctionRow } from './function-row.ts';
import { operatorEndpoints } from './operator-endpoints.ts';
import { workflowSteps } from './workflow-steps.ts';

/** Every function of the orchestrator, by name. Each is listed here once: the stacks and the dead-code check derive from it. */
export const functionTable: Readonly<Record<string, FunctionRow>> = {
  ...workflowSteps,
  ...operatorEndpoints,
  ...consoleFunctions,
  ...backgroundFunctions,
};
