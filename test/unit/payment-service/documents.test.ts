import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { everyEndpoint } from '../../../functions/payment-service/endpoints/by-function.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const documents = globSync('functions/payment-service/**/*.md', { cwd: root })
  .map((file) => readFileSync(`${root}/${file}`, 'utf8'))
  .join('\n');

/** What the letters before a test's name stand for. */
const folders: Readonly<Record<string, string>> = {
  U: 'test/unit/payment-service',
  C: 'test/contract/payment-service',
  P: 'test/contract/provider',
  B: 'test/browser',
  I: 'test/infra',
  E: 'test/e2e',
};

const cellsOf = (line: string): readonly string[] =>
  line
    .replace(/^\| | \|$/g, '')
    .split(' | ')
    .map((cell) => cell.trim());

interface Row {
  readonly what: string;
  readonly cells: readonly string[];
}

/** The rows of all tables whose header ends in a column of this name. */
const rowsWith = (lastColumn: string): readonly Row[] => {
  const rows: Row[] = [];
  let isWanted = false;
  for (const line of documents.split('\n')) {
    if (!line.startsWith('|')) isWanted = false;
    else if (/^\|[ -]*-{3}/.test(line)) continue;
    else if (isWanted) rows.push({ what: cellsOf(line)[0] ?? '', cells: cellsOf(line) });
    else isWanted = cellsOf(line).at(-1) === lastColumn;
  }
  return rows;
};

const shown = rowsWith('tests');
const chosen = rowsWith('why');

describe('the documents of the payment service', () => {
  it('have tables of what is shown, and of what was chosen', () => {
    expect(shown.length).toBeGreaterThan(80);
    expect(chosen.length).toBeGreaterThan(60);
  });

  it.each([...shown, ...chosen])('leave nothing empty: $what', ({ cells }) => {
    expect(cells.filter((cell) => cell === '' || cell === '|')).toEqual([]);
  });

  it.each(shown)('name tests that there are: $what', ({ cells }) => {
    const names = (cells.at(-1) ?? '').split(', ');
    const missing = names.filter((name) => {
      const [letter = '', file = ''] = name.split(' ');
      return !existsSync(`${root}/${folders[letter] ?? letter}/${file}.test.ts`);
    });
    expect(missing).toEqual([]);
  });

  /** The document and the routes name some parameters otherwise. */
  const places = [...documents.replaceAll('\n', ' ').matchAll(/\b(?:GET|POST|PUT|PATCH) \/[\w/:.-]*\w/g)].map(
    ([place]) => place.replaceAll(/:\w+/g, ':id'),
  );

  it.each(everyEndpoint().map(({ method, path }) => `${method} ${path}`))('tell of %s', (endpoint) => {
    expect(places.includes(endpoint.replaceAll(/:\w+/g, ':id'))).toBe(true);
  });
});
