import type { OrchestratorSettings } from '../../functions/domain/settings.ts';

/** What every function of the orchestrator is told: how to behave. */
export function settingsEnvironment(settings: OrchestratorSettings): Record<string, string> {
  return { SETTINGS: JSON.stringify(settings) };
}
