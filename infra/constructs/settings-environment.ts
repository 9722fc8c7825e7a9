import type { OrchestratorSettings } from '../../functions/domain/settings.ts';

/** What every function of the orchestrator is told: how to behave. */
export const settingsEnvironment = (settings: OrchestratorSettings): Record<string, string> => ({
  SETTINGS: JSON.stringify(settings),
});
