/** An item in the document client's notation. */
export type Item = Readonly<Record<string, unknown>>;

/** The names and values that a request supplies for an expression. */
export interface Placeholders {
  readonly names: Readonly<Record<string, string>>;
  readonly values: Item;
}

type Condition = (item: Item, given: Placeholders) => boolean;
type Operand = (item: Item, given: Placeholders) => unknown;

const tokens = (text: string): readonly string[] => {
  const found = text.match(/#\w+(?:\.#\w+)+|#\w+|:?[A-Za-z_][A-Za-z0-9_.]*|<>|<=|>=|[=<>(),+-]/g) ?? [];
  // Text that no token matched is a construct that this table does not support.
  if (found.join('') !== text.replaceAll(/\s+/g, '')) throw new Error(`unsupported expression: ${text}`);
  return found;
};

const attribute = (word: string, { names }: Placeholders): string => {
  if (!word.startsWith('#')) return word;
  const name = names[word];
  if (name === undefined) throw new Error(`ValidationException: ${word} is not defined`);
  return name;
};

const givenValue = (word: string, { values }: Placeholders): unknown => {
  if (!(word in values)) throw new Error(`ValidationException: ${word} is not defined`);
  return values[word];
};

/** Reads the tokens of one expression in order. */
class Words {
  readonly #words: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#words = tokens(text);
  }

  get next(): string | undefined {
    return this.#words[this.#at];
  }

  is(word: string): boolean {
    return this.next?.toUpperCase() === word;
  }

  take(): string {
    const word = this.next;
    if (word === undefined) throw new Error('unexpected end of an expression');
    this.#at += 1;
    return word;
  }

  expect(word: string): void {
    const taken = this.take();
    if (taken.toUpperCase() !== word) throw new Error(`expected ${word}, found ${taken}`);
  }

  takeIf(word: string): boolean {
    if (!this.is(word)) return false;
    this.#at += 1;
    return true;
  }
}

/** Orders texts with texts and numbers with numbers. Undefined for anything else. */
const order = (a: unknown, b: unknown): number | undefined => {
  if (typeof a === 'string' && typeof b === 'string') return a === b ? 0 : a < b ? -1 : 1;
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return undefined;
};

const isEqual = (a: unknown, b: unknown): boolean =>
  order(a, b) === 0 ||
  (typeof a === 'boolean' && a === b) ||
  (a === null && b === null) ||
  (a instanceof Set && b instanceof Set && a.symmetricDifference(b).size === 0);

/** An attribute, or a field of a map attribute. */
const fieldOf = (item: unknown, [name = '', ...rest]: readonly string[], given: Placeholders): unknown => {
  const value = isMap(item) ? item[attribute(name, given)] : undefined;
  return rest.length === 0 ? value : fieldOf(value, rest, given);
};
const isMap = (value: unknown): value is Item => typeof value === 'object' && value !== null;

const operand = (words: Words): Operand => {
  const word = words.take();
  return word.startsWith(':')
    ? (_item, given) => givenValue(word, given)
    : (item, given) => fieldOf(item, word.split('.'), given);
};

const list = (words: Words): readonly Operand[] => {
  words.expect('(');
  const members = [operand(words)];
  while (words.takeIf(',')) members.push(operand(words));
  words.expect(')');
  return members;
};

const functions: Readonly<Record<string, (members: readonly Operand[]) => Condition>> = {
  attribute_exists:
    ([path]) =>
    (item, given) =>
      path?.(item, given) !== undefined,
  attribute_not_exists:
    ([path]) =>
    (item, given) =>
      path?.(item, given) === undefined,
  begins_with:
    ([path, prefix]) =>
    (item, given) =>
      String(path?.(item, given) ?? '').startsWith(String(prefix?.(item, given))),
  contains:
    ([path, member]) =>
    (item, given) => {
      const list = path?.(item, given);
      return Array.isArray(list) && list.some((one) => isEqual(one, member?.(item, given)));
    },
};

const comparisons: Readonly<Record<string, (a: unknown, b: unknown) => boolean>> = {
  '=': isEqual,
  '<>': (a, b) => !isEqual(a, b),
  '<': (a, b) => (order(a, b) ?? Number.NaN) < 0,
  '<=': (a, b) => (order(a, b) ?? Number.NaN) <= 0,
  '>': (a, b) => (order(a, b) ?? Number.NaN) > 0,
  '>=': (a, b) => (order(a, b) ?? Number.NaN) >= 0,
};

const comparison = (words: Words): Condition => {
  const left = operand(words);
  const word = words.take();
  if (word.toUpperCase() === 'IN') {
    const members = list(words);
    return (item, given) => members.some((member) => isEqual(left(item, given), member(item, given)));
  }
  if (word.toUpperCase() === 'BETWEEN') {
    const from = operand(words);
    words.expect('AND');
    const to = operand(words);
    return (item, given) => {
      const value = left(item, given);
      return (order(value, from(item, given)) ?? -1) >= 0 && (order(value, to(item, given)) ?? 1) <= 0;
    };
  }
  const compare = comparisons[word];
  if (compare === undefined) throw new Error(`unsupported comparison: ${word}`);
  const right = operand(words);
  return (item, given) => compare(left(item, given), right(item, given));
};

const primary = (words: Words): Condition => {
  if (words.takeIf('NOT')) {
    const negated = primary(words);
    return (item, given) => !negated(item, given);
  }
  if (words.takeIf('(')) {
    const inner = disjunction(words);
    words.expect(')');
    return inner;
  }
  const call = functions[words.next ?? ''];
  if (call === undefined) return comparison(words);
  words.take();
  return call(list(words));
};

const conjunction = (words: Words): Condition => {
  const parts = [primary(words)];
  while (words.takeIf('AND')) parts.push(primary(words));
  return parts.length === 1 ? (parts[0] ?? never) : (item, given) => parts.every((part) => part(item, given));
};

const disjunction = (words: Words): Condition => {
  const parts = [conjunction(words)];
  while (words.takeIf('OR')) parts.push(conjunction(words));
  return parts.length === 1 ? (parts[0] ?? never) : (item, given) => parts.some((part) => part(item, given));
};

const never: Condition = () => {
  throw new Error('an empty expression');
};

const compiled = new Map<string, Condition>();

/** True when an item meets a condition, filter or key condition. `{}` represents a missing item. */
export const holds = (text: string, item: Item, given: Placeholders): boolean => {
  let condition = compiled.get(text);
  if (condition === undefined) {
    const words = new Words(text);
    condition = disjunction(words);
    if (words.next !== undefined) throw new Error(`unsupported expression: ${text}`);
    compiled.set(text, condition);
  }
  return condition(item, given);
};

type Change = (before: Item, after: Record<string, unknown>, given: Placeholders) => void;

interface Update {
  readonly changes: readonly Change[];
  readonly targets: readonly string[];
}

const term = (words: Words): Operand => {
  if (words.next !== 'if_not_exists') return operand(words);
  words.take();
  const [path, otherwise] = list(words);
  return (item, given) => path?.(item, given) ?? otherwise?.(item, given);
};

const sum = (words: Words): Operand => {
  const first = term(words);
  const sign = words.next;
  if (sign !== '+' && sign !== '-') return first;
  words.take();
  const second = term(words);
  return (item, given) => {
    const [a, b] = [first(item, given), second(item, given)];
    if (typeof a !== 'number' || typeof b !== 'number') throw new Error('ValidationException: only numbers add up');
    return sign === '+' ? a + b : a - b;
  };
};

const members = (value: unknown): ReadonlySet<unknown> => (value instanceof Set ? value : new Set());

const added = (was: unknown, given: unknown): unknown => {
  if (typeof given === 'number') return (typeof was === 'number' ? was : 0) + given;
  return members(was).union(members(given));
};

/** A set that loses its last member is removed. */
const taken = (was: unknown, given: unknown): unknown => {
  const left = members(was).difference(members(given));
  return left.size === 0 ? undefined : left;
};

const clauses: Readonly<Record<string, (words: Words, target: string) => Change>> = {
  SET: (words, target) => {
    words.expect('=');
    const value = sum(words);
    return (before, after, given) => {
      after[attribute(target, given)] = value(before, given);
    };
  },
  REMOVE: (_words, target) => (_before, after, given) => {
    delete after[attribute(target, given)];
  },
  ADD: (words, target) => {
    const value = operand(words);
    return (before, after, given) => {
      const name = attribute(target, given);
      after[name] = added(after[name], value(before, given));
    };
  },
  DELETE: (words, target) => {
    const value = operand(words);
    return (before, after, given) => {
      const name = attribute(target, given);
      const left = taken(after[name], value(before, given));
      if (left === undefined) delete after[name];
      else after[name] = left;
    };
  },
};

const compiledUpdates = new Map<string, Update>();

const compileUpdate = (text: string): Update => {
  const words = new Words(text);
  const changes: Change[] = [];
  const targets: string[] = [];
  while (words.next !== undefined) {
    const verb = words.take().toUpperCase();
    const clause = clauses[verb];
    if (clause === undefined) throw new Error(`unsupported update: ${verb}`);
    do {
      const target = words.take();
      targets.push(target);
      changes.push(clause(words, target));
    } while (words.takeIf(','));
  }
  return { changes, targets };
};

/** The item after an update. SET reads every operand from the item before the update. */
export const updated = (text: string, before: Item, given: Placeholders): Record<string, unknown> => {
  let update = compiledUpdates.get(text);
  if (update === undefined) {
    update = compileUpdate(text);
    compiledUpdates.set(text, update);
  }
  const { changes, targets } = update;
  // DynamoDB refuses two clauses for one attribute. Not every emulator does.
  if (new Set(targets.map((target) => attribute(target, given))).size < targets.length) {
    throw new Error('ValidationException: two document paths overlap with each other');
  }
  const after = { ...before };
  for (const change of changes) change(before, after, given);
  return after;
};
