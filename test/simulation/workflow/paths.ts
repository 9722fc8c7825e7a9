/** What `$$` stands for. */
export interface Context {
  readonly executionName: string;
  /** Of a Map's item. */
  readonly item?: unknown;
}

const follow = (value: unknown, steps: readonly string[], path: string): unknown => {
  let at = value;
  for (const step of steps) {
    if (typeof at !== 'object' || at === null || !(step in at)) throw new PathMissing(path);
    at = new Map(Object.entries(at)).get(step);
  }
  return at;
};

/** A path that leads nowhere: the state fails with States.Runtime, which no Retry and no Catch but States.ALL takes. */
export class PathMissing extends Error {
  override readonly name = 'States.Runtime';
}

/** The value at a JSONPath: names only, in the input (`$.a.b`) or in the context object (`$$.…`). */
export const at = (path: string, input: unknown, context: Context): unknown => {
  if (!/^\$\$?(\.\w+)*$/.test(path)) throw new Error(`a path not known to the simulation: ${path}`);
  const [root, ...steps] = path.split('.');
  if (root === '$') return follow(input, steps, path);
  const known = { Execution: { Name: context.executionName }, Map: { Item: { Value: context.item } } };
  return follow(known, steps, path);
};

/** An object of Parameters or ItemSelector: members whose names end in `.$` are paths. */
export const fill = (
  template: Readonly<Record<string, unknown>>,
  input: unknown,
  context: Context,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(template).map(([name, value]) => {
      if (!name.endsWith('.$')) return [name, value];
      if (typeof value !== 'string') throw new Error(`${name} is no path`);
      return [name.slice(0, -2), at(value, input, context)];
    }),
  );
