import { readFileSync } from 'node:fs';
import type { Machine } from '../../../infra/workflow/language.ts';
import { parseMachine } from '../../../infra/workflow/language.ts';

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
  return parseMachine(JSON.parse(filled));
};
