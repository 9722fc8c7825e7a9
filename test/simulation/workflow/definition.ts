import { readFileSync } from 'node:fs';
import * as z from 'zod';

/**
 * The part of the Amazon States Language that statemachines/ uses, JSONPath. Every object is strict: a construct that is
 * new there is refused here until the simulation knows what it does.
 */
const comment = { Comment: z.string().optional() };
const retrier = z.strictObject({
  ErrorEquals: z.array(z.string()).min(1),
  IntervalSeconds: z.number(),
  BackoffRate: z.number(),
  MaxAttempts: z.int(),
});
const catcher = z.strictObject({
  ErrorEquals: z.array(z.string()).min(1),
  ResultPath: z.string().regex(/^\$\.\w+$/),
  Next: z.string(),
});
const template = z.record(z.string(), z.unknown());

const task = z.strictObject({
  Type: z.literal('Task'),
  ...comment,
  Resource: z.string(),
  Parameters: template.optional(),
  TimeoutSeconds: z.int(),
  Retry: z.array(retrier).default([]),
  Catch: z.array(catcher).default([]),
  Next: z.string(),
});
const choice = z.strictObject({
  Type: z.literal('Choice'),
  ...comment,
  Choices: z.array(z.strictObject({ Variable: z.string(), StringEquals: z.string(), Next: z.string() })),
  Default: z.string(),
});
const wait = z
  .strictObject({
    Type: z.literal('Wait'),
    ...comment,
    Seconds: z.int().optional(),
    SecondsPath: z.string().optional(),
    Next: z.string(),
  })
  .refine(({ Seconds, SecondsPath }) => (Seconds === undefined) !== (SecondsPath === undefined));
const succeed = z.strictObject({ Type: z.literal('Succeed'), ...comment });
const fail = z.strictObject({ Type: z.literal('Fail'), ...comment, Error: z.string(), Cause: z.string() });
const leaf = [task, choice, wait, succeed, fail] as const;

const childStates = z.record(z.string(), z.discriminatedUnion('Type', leaf));
const map = z.strictObject({
  Type: z.literal('Map'),
  ...comment,
  ItemReader: z.strictObject({
    Resource: z.string().regex(/:states:::s3:getObject$/),
    ReaderConfig: z.strictObject({ InputType: z.literal('JSON') }),
    Parameters: z.strictObject({ Bucket: z.string(), 'Key.$': z.string() }),
  }),
  ItemSelector: template,
  MaxConcurrency: z.int().min(1),
  ToleratedFailurePercentage: z.literal(100),
  Label: z.string(),
  ItemProcessor: z.strictObject({
    ProcessorConfig: z.strictObject({ Mode: z.literal('DISTRIBUTED'), ExecutionType: z.literal('STANDARD') }),
    StartAt: z.string(),
    States: childStates,
  }),
  ResultWriter: z.strictObject({ Resource: z.string().regex(/:states:::s3:putObject$/), Parameters: template }),
  ResultPath: z.null(),
  Catch: z.array(catcher).default([]),
  Next: z.string(),
});

const machine = z.strictObject({
  Comment: z.string(),
  StartAt: z.string(),
  States: z.record(z.string(), z.discriminatedUnion('Type', [...leaf, map])),
});

export type State = z.infer<typeof machine>['States'][string];
export type TaskState = z.infer<typeof task>;
export type MapState = z.infer<typeof map>;
export type Catcher = z.infer<typeof catcher>;
export type Retrier = z.infer<typeof retrier>;

/** A state machine, or what a Map runs for each item. */
export interface Machine {
  readonly StartAt: string;
  readonly States: Readonly<Record<string, State>>;
}

const checkTargets = (name: string, { StartAt, States }: Machine): void => {
  const targets = Object.values(States).flatMap((state): readonly string[] => [
    ...('Next' in state ? [state.Next] : []),
    ...('Catch' in state ? state.Catch.map(({ Next }) => Next) : []),
    ...(state.Type === 'Choice' ? [state.Default, ...state.Choices.map(({ Next }) => Next)] : []),
  ]);
  const missing = [StartAt, ...targets].find((target) => States[target] === undefined);
  if (missing !== undefined) throw new Error(`${name} goes to the state ${missing}, which it does not have`);
};

const text = readFileSync(new URL('../../../statemachines/batch.asl.json', import.meta.url), 'utf8');

/**
 * Reads the workflow of a batch with its placeholders filled in. A function's placeholder becomes the name of its Task.
 *
 * @throws for a placeholder or a construct that the simulation does not know
 */
export const readDefinition = (numbers: Readonly<Record<string, number>>): Machine => {
  const filled = text.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => {
    const number = numbers[name];
    if (number !== undefined) return String(number);
    if (name.endsWith('Function')) return name.slice(0, -'Function'.length);
    if (name === 'Partition' || name === 'FilesBucket') return name;
    throw new Error(`the placeholder ${name} is not known to the simulation`);
  });
  const definition = machine.parse(JSON.parse(filled));
  checkTargets('the batch', definition);
  for (const state of Object.values(definition.States)) {
    if (state.Type === 'Map') checkTargets('a chunk', state.ItemProcessor);
  }
  return definition;
};
