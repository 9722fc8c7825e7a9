import type { ChoiceState } from '../../../infra/workflow/language.ts';
import { holds } from '../../../infra/workflow/language.ts';
import type { Context } from './paths.ts';
import { at } from './paths.ts';

/**
 * The state that a Choice goes to.
 *
 * @throws PathMissing
 */
export const choose = ({ Choices, Default }: ChoiceState, input: unknown, context: Context): string =>
  Choices.find((rule) => holds(rule, at(rule.Variable, input, context)))?.Next ?? Default;
