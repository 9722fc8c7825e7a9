import type { OrchestratorSettings } from '../domain/settings.ts';
import type { Clock, Ids, Log, Random } from './environment.ts';
import type { EventBus } from './event-bus.ts';
import type { Files } from './files.ts';
import type { DeadLetters, HintQueue } from './hint-queue.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { Pace } from './pace.ts';
import type { People } from './people.ts';
import type { PaymentProvider } from './provider.ts';
import type { ProviderCheck } from './provider-check.ts';
import type { Schedules } from './schedules.ts';
import type { Workflow } from './workflow.ts';

/** The ports that several functions depend on, by their names among the dependencies. */
interface Ports {
  readonly ledger: Ledger;
  readonly files: Files;
  readonly provider: PaymentProvider;
  readonly providerCheck: ProviderCheck;
  readonly pace: Pace;
  readonly workflow: Workflow;
  readonly schedules: Schedules;
  readonly people: People;
  readonly eventBus: EventBus;
  readonly hintQueue: HintQueue;
  readonly deadLetters: DeadLetters;
  readonly settings: OrchestratorSettings;
  readonly ids: Ids;
  readonly log: Log;
  readonly clock: Clock;
  readonly random: Random;
}

/**
 * A function's dependencies. `Members` picks single members of ports, so that the function can call nothing else. `Whole` lists
 * the ports that it gets entirely.
 */
export type Needs<
  Members extends { readonly [Port in keyof Ports]?: keyof Ports[Port] },
  Whole extends keyof Ports = never,
> = {
  readonly [Port in keyof Members & keyof Ports]: Pick<Ports[Port], Members[Port] & keyof Ports[Port]>;
} & Pick<Ports, Whole>;
