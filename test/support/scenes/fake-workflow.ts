import type { Workflow } from '../../../functions/ports/workflow.ts';

/** A workflow that starts each name once, unless it is over, and records the requested names. */
export const fakeWorkflow = (
  over: readonly string[] = [],
): Workflow & { readonly asked: string[]; readonly running: Set<string> } => {
  const asked: string[] = [];
  const running = new Set<string>();
  return {
    asked,
    running,
    start: async (name, { batchId }) => {
      asked.push(`${name} of ${batchId}`);
      if (over.includes(name)) return 'over';
      if (running.has(name)) return 'running';
      running.add(name);
      return 'started';
    },
    stateOf: async (name) => (over.includes(name) ? 'over' : running.has(name) ? 'running' : 'absent'),
    consoleUrl: (name) => `https://console.test/${name}`,
  };
};
