import * as z from 'zod';

const retrier = z.object({
  ErrorEquals: z.array(z.string()),
  // The defaults of the Amazon States Language.
  IntervalSeconds: z.number().default(1),
  BackoffRate: z.number().default(2),
  MaxAttempts: z.number(),
});
export type Retrier = z.infer<typeof retrier>;

const rule = z.strictObject({
  Variable: z.string().startsWith('$.'),
  StringEquals: z.string().optional(),
  NumericEquals: z.number().optional(),
  NumericGreaterThan: z.number().optional(),
  Next: z.string(),
});
export type Rule = z.infer<typeof rule>;

export const part = z.looseObject({ StartAt: z.string(), States: z.record(z.string(), z.unknown()) });

/** The fields that this workflow's states may have. Any other field fails the parsing, because the cases would ignore it. */
export const state = z.strictObject({
  Type: z.enum(['Task', 'Choice', 'Wait', 'Pass', 'Succeed', 'Fail', 'Parallel', 'Map']),
  Comment: z.string().optional(),
  Next: z.string().optional(),
  End: z.boolean().optional(),
  Resource: z.string().optional(),
  Parameters: z.record(z.string(), z.unknown()).optional(),
  TimeoutSeconds: z.number().optional(),
  Retry: z.array(retrier).optional(),
  Catch: z
    .array(
      z.object({ ErrorEquals: z.array(z.literal('States.ALL')), ResultPath: z.string().nullable(), Next: z.string() }),
    )
    .max(1)
    .optional(),
  ResultPath: z.string().nullish(),
  OutputPath: z.string().optional(),
  Choices: z.array(rule).optional(),
  Default: z.string().optional(),
  SecondsPath: z.string().optional(),
  Result: z.unknown().optional(),
  Error: z.string().optional(),
  Cause: z.string().optional(),
  Branches: z.array(part).optional(),
  ItemReader: z.unknown().optional(),
  ItemSelector: z.unknown().optional(),
  MaxConcurrency: z.number().optional(),
  ToleratedFailurePercentage: z.number().optional(),
  Label: z.string().optional(),
  ItemProcessor: part.optional(),
  ResultWriter: z.unknown().optional(),
});
export type State = z.infer<typeof state>;

/** A state and the part of the workflow that contains it. */
export interface PlacedState {
  readonly name: string;
  readonly state: State;
  /** JSON of the workflow, of a branch, or of a Map's item processor. Each can stand as a workflow. */
  readonly part: string;
}

/** Every state of a workflow, including those in branches and maps. */
export const statesOf = (definition: string): readonly PlacedState[] => statesIn(part.parse(JSON.parse(definition)));

const statesIn = ({ StartAt, States }: z.infer<typeof part>): readonly PlacedState[] => {
  const text = JSON.stringify({ StartAt, States });
  return Object.entries(States).flatMap(([name, found]) => {
    const parsed = state.parse(found);
    const inner = [...(parsed.Branches ?? []), ...(parsed.ItemProcessor === undefined ? [] : [parsed.ItemProcessor])];
    return [{ name, state: parsed, part: text }, ...inner.flatMap(statesIn)];
  });
};
