import * as z from 'zod';
import type { Machine, State } from './language.ts';
import { machinesIn, parseMachine } from './language.ts';

/** A state and the part of the workflow that contains it. */
export interface PlacedState<Kind extends State = State> {
  readonly name: string;
  readonly state: Kind;
  /** JSON of the workflow, of a branch, or of a Map's item processor, as written. Each can stand as a workflow. */
  readonly part: string;
}

/** Every state of a workflow, including those in branches and maps. */
export const statesOf = (definition: string): readonly PlacedState[] => {
  const written: unknown = JSON.parse(definition);
  return placedIn(parseMachine(written), written);
};

/** The same part before it was parsed, which adds defaults. */
const writtenPart = z.object({
  StartAt: z.string(),
  States: z.record(z.string(), z.looseObject({ ItemProcessor: z.unknown(), Branches: z.array(z.unknown()) }).partial()),
});

const placedIn = ({ States }: Machine, written: unknown): readonly PlacedState[] => {
  const { StartAt, States: states } = writtenPart.parse(written);
  const part = JSON.stringify({ StartAt, States: states });
  return Object.entries(States).flatMap(([name, state]) => {
    const { ItemProcessor, Branches } = states[name] ?? {};
    const inside = Branches ?? [ItemProcessor];
    return [{ name, state, part }, ...machinesIn(state).flatMap((inner, index) => placedIn(inner, inside[index]))];
  });
};
