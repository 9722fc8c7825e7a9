import type { Workflow } from '../../../functions/ports/workflow.ts';
import type { Machine } from '../../../infra/workflow/language.ts';
import type { Chance } from '../../support/chance.ts';
import type { Process } from '../process.ts';
import type { Weather } from '../world/weather.ts';
import type { ExecutionParts } from './execution.ts';
import { Execution } from './execution.ts';

const outage = (): Error => Object.assign(new Error('Step Functions is out'), { name: 'ServiceUnavailable' });

const isOf = (name: string, batchId: string): boolean => name === batchId || name.startsWith(`${batchId}-`);

/** Step Functions: executions by name. Each name is started once. */
export class StateMachine {
  readonly executions = new Map<string, Execution>();
  readonly #parts: ExecutionParts;
  readonly #machine: Machine;

  constructor(parts: ExecutionParts, machine: Machine) {
    this.#parts = parts;
    this.#machine = machine;
  }

  /** A batch's executions in the order of their start. */
  of(batchId: string): readonly Execution[] {
    return [...this.executions.values()].filter(({ name }) => isOf(name, batchId));
  }

  /** True when an execution of the batch runs. Asked at each event, so it makes no list. */
  isRunning(batchId: string): boolean {
    for (const { name, status } of this.executions.values())
      if (status === 'running' && isOf(name, batchId)) return true;
    return false;
  }

  /** The workflow port as one process uses it. */
  port(process: Process, chance: Chance, weather: Weather): Workflow {
    const { timeline } = this.#parts;
    return {
      start: (name, input) => {
        const isOut = timeline.now < weather.until && chance.happens(weather.workflowError);
        const mishap = chance.happens(0.5) ? { before: outage() } : { after: outage() };
        return process.reach('workflow', () => this.#start(name, input), isOut ? mishap : {});
      },
      stateOf: (name) => process.reach('workflow', () => this.#stateOf(name), {}),
      consoleUrl: (name) => `https://console.example/${name}`,
    };
  }

  #stateOf(name: string): 'running' | 'over' | 'absent' {
    const existing = this.executions.get(name);
    if (existing === undefined) return 'absent';
    return existing.status === 'running' ? 'running' : 'over';
  }

  #start(name: string, input: unknown): 'started' | 'running' | 'over' {
    const existing = this.executions.get(name);
    if (existing !== undefined) return existing.status === 'running' ? 'running' : 'over';
    const execution = new Execution(this.#parts, this.#machine, { executionName: name }, name, input);
    this.executions.set(name, execution);
    void execution.run();
    return 'started';
  }
}
