import type { ChoiceState, ChoiceTest } from './language.ts';
import type { Context } from './paths.ts';
import { at, isPresent } from './paths.ts';

/** Comparing with a value of another type is false. A path that leads nowhere throws, except for IsPresent. */
const holds = (test: ChoiceTest, input: unknown, context: Context): boolean => {
  if (test.IsPresent !== undefined) return isPresent(test.Variable, input, context) === test.IsPresent;
  const value = at(test.Variable, input, context);
  if (test.StringEquals !== undefined) return value === test.StringEquals;
  if (test.BooleanEquals !== undefined) return value === test.BooleanEquals;
  if (typeof value !== 'number') return false;
  if (test.NumericGreaterThan !== undefined) return value > test.NumericGreaterThan;
  return value === test.NumericEquals;
};

/**
 * The state that a Choice goes to. Undefined when no rule matches and there is no Default.
 *
 * @throws PathMissing
 */
export const choose = ({ Choices, Default }: ChoiceState, input: unknown, context: Context): string | undefined => {
  const found = Choices.find((rule) =>
    ('And' in rule ? rule.And : [rule]).every((test) => holds(test, input, context)),
  );
  return found?.Next ?? Default;
};
