/** The context object `$$`. */
export interface Context {
  readonly executionName: string;
  /** The item of a Map's child. */
  readonly item?: unknown;
}

/** A path leads nowhere. The state fails with States.Runtime, which no Retry and no Catch takes. */
export class PathMissing extends Error {
  override readonly name = 'States.Runtime';
}

/** `$.a[1].b`: names, and indexes of arrays. */
const known = /^\$\$?(\.\w+|\[\d+\])*$/;

const stepsOf = (path: string): readonly string[] => {
  if (!known.test(path)) throw new Error(`a path not known to the simulation: ${path}`);
  return path.match(/\w+/g) ?? [];
};

/**
 * The value at a JSONPath, in the input (`$.a[1].b`) or in the context object (`$$.…`).
 *
 * @throws PathMissing
 */
export const at = (path: string, input: unknown, { executionName, item }: Context): unknown => {
  const context = {
    Execution: { Name: executionName },
    StateMachine: { Id: 'state-machine' },
    Map: { Item: { Value: item } },
  };
  let value: unknown = path.startsWith('$$') ? context : input;
  for (const step of stepsOf(path)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) throw new PathMissing(path);
    value = Reflect.get(value, step);
  }
  return value;
};

type Template = Readonly<Record<string, unknown>>;

const isTemplate = (value: unknown): value is Template =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Fills Parameters or ItemSelector: members whose names end in `.$`, at any depth, are paths. */
export const fill = (template: Template, input: unknown, context: Context): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(template).map(([name, value]) => {
      if (!name.endsWith('.$')) return [name, isTemplate(value) ? fill(value, input, context) : value];
      if (typeof value !== 'string') throw new Error(`${name} is no path`);
      return [name.slice(0, -2), at(value, input, context)];
    }),
  );
