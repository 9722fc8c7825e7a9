import type { ChoiceState, Rule } from '../../../infra/workflow/language.ts';
import type { Context } from './paths.ts';
import { at } from './paths.ts';

/** Comparing with a value of another type is false. */
const holds = (
  { Variable, StringEquals, NumericEquals, NumericGreaterThan }: Rule,
  input: unknown,
  context: Context,
): boolean => {
  const value = at(Variable, input, context);
  if (NumericGreaterThan === undefined) return value === (StringEquals ?? NumericEquals);
  return typeof value === 'number' && value > NumericGreaterThan;
};

/**
 * The state that a Choice goes to.
 *
 * @throws PathMissing
 */
export const choose = ({ Choices, Default }: ChoiceState, input: unknown, context: Context): string =>
  Choices.find((rule) => holds(rule, input, context))?.Next ?? Default;
