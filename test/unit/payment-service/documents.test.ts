import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { everyEndpoint } from '../../../functions/payment-service/endpoints/by-function.ts';

const service = fileURLToPath(new URL('../../../functions/payment-service', import.meta.url));
const textOf = (file: string): string => readFileSync(`${service}/${file}`, 'utf8');

const cellsOf = (line: string): readonly string[] =>
  line
    .replace(/^\| | \|$/g, '')
    .split(' | ')
    .map((cell) => cell.trim());

interface Row {
  readonly what: string;
  readonly cells: readonly string[];
}

/** The rows of all tables whose last column has this name. */
const rowsWith = (lastColumn: string): readonly Row[] => {
  const rows: Row[] = [];
  let isWanted = false;
  for (const line of globSync('**/*.md', { cwd: service }).flatMap((file) => textOf(file).split('\n'))) {
    if (!line.startsWith('|')) isWanted = false;
    else if (/^\|[ -]*-{3}/.test(line)) continue;
    else if (isWanted) rows.push({ what: cellsOf(line)[0] ?? '', cells: cellsOf(line) });
    else isWanted = cellsOf(line).at(-1) === lastColumn;
  }
  return rows;
};

const implemented = rowsWith('file');
const chosen = rowsWith('why');

/** The endpoints in the tables: `GET /v1/balance authorization`, and the file of each. */
const documented = new Map(
  implemented.flatMap(({ cells: [endpoint = '', credentials, file = ''] }) =>
    /^[A-Z]+ \//.test(endpoint) ? [[`${endpoint} ${credentials}`, file] as const] : [],
  ),
);

/** The public document and the routes differ in some names of parameters. */
const withoutNames = (endpoint: string): string => endpoint.replaceAll(/:\w+/g, ':id');

describe('the documents of the payment service', () => {
  it('have tables of rules and of choices', () => {
    expect(implemented.length).toBeGreaterThan(100);
    expect(chosen.length).toBeGreaterThan(60);
  });

  it.each([...implemented, ...chosen])('have no empty cell: $what', ({ cells }) => {
    expect(cells.filter((cell) => cell === '' || cell === '|')).toEqual([]);
  });

  it.each(implemented)('name existing files: $what', ({ cells }) => {
    const files = (cells.at(-1) ?? '').split(', ');
    expect(files.filter((file) => !existsSync(`${service}/${file}`))).toEqual([]);
  });

  it('list exactly the endpoints of the code, with their credentials', () => {
    const coded = Object.values(everyEndpoint()).map(({ method, path, access }) =>
      withoutNames(`${method} ${path} ${access}`),
    );
    expect([...documented.keys()].map(withoutNames).toSorted()).toEqual(coded.toSorted());
  });

  it.each([...documented])('name the file of %s', (endpoint, file) => {
    const route = /route: '([^']+)'/.exec(textOf(file));
    expect(withoutNames(endpoint)).toContain(withoutNames(`${route?.[1]} `));
  });
});
