import type { Finding } from '../../functions/provider/check/finding.ts';
import { uncheckedTraits } from '../../functions/provider/check/unchecked-traits.ts';
import { table } from './text-table.ts';

/** The report of a check of the provider: a table, what to do about it, and the traits that it could not ask about. */
export const describeFindings = (
  findings: readonly Finding[],
  traits: Parameters<typeof uncheckedTraits>[0],
): string => {
  const lines = findings.map(({ verdict, what, found }) => [verdict, what, found]);
  const advised = findings.filter(({ follows }) => follows !== undefined);
  const follows = [...Map.groupBy(advised, ({ verdict, follows: then = '' }) => `${verdict}: ${then}`)].map(
    ([advice, from]) => `${advice}\n  (${from.map(({ what }) => what).join(', ')})`,
  );
  return [
    table(['', 'what', 'found'], lines, { numbers: false }),
    ...(follows.length === 0 ? [] : ['\nWhat follows:', ...follows]),
    '\nOnly a payment would show these traits, so they were not checked:',
    ...uncheckedTraits(traits),
  ].join('\n');
};
