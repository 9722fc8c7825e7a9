import * as z from 'zod';

/*
 * The part of the Amazon States Language (JSONPath) that statemachines/ uses. Every object is strict. Add a construct only once
 * every interpreter of the workflow supports it: the simulation, the questions to TestState (verify/), the price summary
 * (local/costs/).
 */

const comment = { Comment: z.string().optional() };
/** The state's successor: another state, or the end of the machine. Exactly one of the two is set. */
const onward = { Next: z.string().optional(), End: z.literal(true).optional() };
const hasWayOn = ({ Next, End }: { readonly Next?: string | undefined; readonly End?: true | undefined }): boolean =>
  (Next === undefined) !== (End === undefined);
const template = z.record(z.string(), z.unknown());
/** A field of the state's input. */
const field = z.string().regex(/^\$\.\w+$/);

const retrier = z.strictObject({
  ErrorEquals: z.array(z.string()).min(1),
  // The defaults of the Amazon States Language.
  IntervalSeconds: z.number().default(1),
  BackoffRate: z.number().default(2),
  MaxAttempts: z.int(),
});
const catcher = z.strictObject({
  ErrorEquals: z.tuple([z.literal('States.ALL')]),
  /** Where the error goes. Null: nowhere. */
  ResultPath: z.union([z.null(), field]),
  Next: z.string(),
});
const caught = { Catch: z.array(catcher).max(1).default([]) };

const task = z
  .strictObject({
    Type: z.literal('Task'),
    ...comment,
    Resource: z.string(),
    Parameters: template.optional(),
    /** Null keeps the input as the output. */
    ResultPath: z.null().optional(),
    TimeoutSeconds: z.int(),
    Retry: z.array(retrier).default([]),
    ...caught,
    ...onward,
  })
  .refine(hasWayOn);
const pass = z
  .strictObject({ Type: z.literal('Pass'), ...comment, Result: z.unknown(), ResultPath: field, ...onward })
  .refine(hasWayOn);

/** Compares a field of the state's input. Exactly one of the comparisons is set. */
const rule = z
  .strictObject({
    Variable: field,
    StringEquals: z.string().optional(),
    NumericEquals: z.number().optional(),
    NumericGreaterThan: z.number().optional(),
    Next: z.string(),
  })
  .refine(
    ({ StringEquals, NumericEquals, NumericGreaterThan }) =>
      [StringEquals, NumericEquals, NumericGreaterThan].filter((value) => value !== undefined).length === 1,
  );
const choice = z.strictObject({
  Type: z.literal('Choice'),
  ...comment,
  Choices: z.array(rule).min(1),
  /** Without it, a decision of a newer version would end the execution with no reason. */
  Default: z.string(),
});

const wait = z
  .strictObject({
    Type: z.literal('Wait'),
    ...comment,
    SecondsPath: z.string(),
    ...onward,
  })
  .refine(hasWayOn);
const succeed = z.strictObject({ Type: z.literal('Succeed'), ...comment });
const fail = z.strictObject({ Type: z.literal('Fail'), ...comment, Error: z.string(), Cause: z.string() });
const leaf = [task, pass, choice, wait, succeed, fail] as const;

const map = z
  .strictObject({
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
      States: z.record(z.string(), z.discriminatedUnion('Type', leaf)),
    }),
    ResultWriter: z.strictObject({ Resource: z.string().regex(/:states:::s3:putObject$/), Parameters: template }),
    ResultPath: z.null(),
    ...onward,
  })
  .refine(hasWayOn);

const branch = z.strictObject({
  StartAt: z.string(),
  States: z.record(z.string(), z.discriminatedUnion('Type', [...leaf, map])),
});
const parallel = z
  .strictObject({
    Type: z.literal('Parallel'),
    ...comment,
    Branches: z.array(branch).min(1),
    /** Chooses the output of one branch. */
    OutputPath: z
      .string()
      .regex(/^\$\[\d+\]$/)
      .optional(),
    ...caught,
    ...onward,
  })
  .refine(hasWayOn);

const machine = z.strictObject({
  Comment: z.string().optional(),
  StartAt: z.string(),
  States: z.record(z.string(), z.discriminatedUnion('Type', [...leaf, map, parallel])),
});

export type State = z.infer<typeof machine>['States'][string];
export type TaskState = z.infer<typeof task>;
export type MapState = z.infer<typeof map>;
export type ParallelState = z.infer<typeof parallel>;
export type ChoiceState = z.infer<typeof choice>;
export type Rule = z.infer<typeof rule>;
export type Catcher = z.infer<typeof catcher>;
export type Retrier = z.infer<typeof retrier>;

/** A state machine, the processor of a Map's items, or a branch of a Parallel. */
export interface Machine {
  readonly StartAt: string;
  readonly States: Readonly<Record<string, State>>;
}

/** True when the value of a rule's field is as the rule demands. A value of another type never is. */
export const holds = ({ StringEquals, NumericEquals, NumericGreaterThan }: Rule, value: unknown): boolean =>
  NumericGreaterThan === undefined
    ? value === (StringEquals ?? NumericEquals)
    : typeof value === 'number' && value > NumericGreaterThan;

/** Errors that nothing retries or catches, not even States.ALL. */
const terminal: readonly string[] = ['States.Runtime', 'States.DataLimitExceeded'];

/** True when an entry of Retry or of Catch takes the error. `States.TaskFailed` takes every error except a timeout. */
export const matches = ({ ErrorEquals }: Pick<Retrier, 'ErrorEquals'>, error: string): boolean =>
  !terminal.includes(error) &&
  ErrorEquals.some(
    (name) => name === 'States.ALL' || name === error || (name === 'States.TaskFailed' && error !== 'States.Timeout'),
  );

/** The machines within a state: a Parallel's branches, or what a Map's children run. */
export const machinesIn = (state: State): readonly Machine[] => {
  if (state.Type === 'Parallel') return state.Branches;
  return state.Type === 'Map' ? [state.ItemProcessor] : [];
};

/** The state that follows when nothing fails. Undefined at an end, and for a Choice. */
export const nextOf = (state: State): string | undefined => ('Next' in state ? state.Next : undefined);

/** Every state that may follow. */
export const targetsOf = (state: State): readonly string[] => {
  const next = nextOf(state);
  return [
    ...(next === undefined ? [] : [next]),
    ...('Catch' in state ? state.Catch.map(({ Next }) => Next) : []),
    ...(state.Type === 'Choice' ? [state.Default, ...state.Choices.map(({ Next }) => Next)] : []),
  ];
};

const checkTargets = (name: string, { StartAt, States }: Machine): void => {
  const targets = [StartAt, ...Object.values(States).flatMap(targetsOf)];
  const missing = targets.find((target) => States[target] === undefined);
  if (missing !== undefined) throw new Error(`${name} goes to the state ${missing}, which it does not have`);
  for (const [inside, state] of Object.entries(States))
    for (const machine of machinesIn(state)) checkTargets(inside, machine);
};

/**
 * Parses a machine from its JSON.
 *
 * @throws for an unsupported construct, and for a transition to a state that does not exist
 */
export const parseMachine = (definition: unknown): Machine => {
  const parsed = machine.parse(definition);
  checkTargets('the machine', parsed);
  return parsed;
};
