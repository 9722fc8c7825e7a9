import type { OrchestratorSettings } from '../../functions/domain/settings.ts';

/** The dimension that metrics of the functions carry, and the name their log lines are found by. */
export const serviceName = 'payouts';

/** What every function of the orchestrator is told: how to behave, and under which name to log and count. */
export function settingsEnvironment(settings: OrchestratorSettings): Record<string, string> {
  return { SETTINGS: JSON.stringify(settings), POWERTOOLS_SERVICE_NAME: serviceName };
}
