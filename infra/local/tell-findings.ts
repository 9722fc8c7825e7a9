import type { Finding } from '../../functions/provider/check/finding.ts';
import { takenOnTrust } from '../../functions/provider/check/taken-on-trust.ts';
import { table } from './text-table.ts';

/** What a check of the provider found, for a terminal: a table, what follows from it, and what it could not ask. */
export const tellFindings = (findings: readonly Finding[], traits: Parameters<typeof takenOnTrust>[0]): string => {
  const lines = findings.map(({ verdict, what, found }) => [verdict, what, found]);
  const advised = findings.filter(({ follows }) => follows !== undefined);
  const follows = [...Map.groupBy(advised, ({ verdict, follows: then = '' }) => `${verdict}: ${then}`)].map(
    ([advice, of]) => `${advice}\n  (${of.map(({ what }) => what).join(', ')})`,
  );
  return [
    table(['', 'what', 'found'], lines, { numbers: false }),
    ...(follows.length === 0 ? [] : ['\nWhat follows:', ...follows]),
    '\nNot asked, since that would pay. The traits that are taken on trust:',
    ...takenOnTrust(traits),
  ].join('\n');
};
