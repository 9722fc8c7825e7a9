import type { RowError } from '../batch.ts';
import type { FileRow } from './fields.ts';
import { noProblems } from './fields.ts';
import { refuseFile } from './file-refused.ts';
import type { JsonValue } from './json-row.ts';
import { jsonRow } from './json-row.ts';

const newline = 0x0a;

/** No row has so many bytes; a file without line ends would otherwise gather in memory. */
const maxLineBytes = 1_048_576;

async function* linesOf(blocks: AsyncIterable<Buffer>): AsyncGenerator<readonly string[]> {
  let rest: Buffer[] = [];
  let restBytes = 0;
  for await (const block of blocks) {
    const lines: string[] = [];
    let from = 0;
    for (let end = block.indexOf(newline); end >= 0; end = block.indexOf(newline, from)) {
      const tail = block.subarray(from, end);
      lines.push(restBytes === 0 ? tail.toString('utf8') : Buffer.concat([...rest, tail]).toString('utf8'));
      rest = [];
      restBytes = 0;
      from = end + 1;
    }
    if (from < block.length) {
      rest.push(block.subarray(from));
      restBytes += block.length - from;
    }
    yield lines;
    if (restBytes > maxLineBytes)
      throw refuseFile('malformed_json', 'A line is longer than a megabyte: each payout stands on a line of its own.');
  }
  if (restBytes > 0) yield [Buffer.concat(rest).toString('utf8')];
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Keys as written, so that a repeated one is seen: a parsed object has only the last. Flat objects only. */
const writtenKeys = (line: string): number => {
  let keys = 0;
  for (const match of line.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)) if (match[1] !== undefined) keys++;
  return keys;
};

const jsonValue = (value: unknown, source: string | undefined): JsonValue => {
  if (typeof value === 'string') return { kind: 'text', text: value };
  if (typeof value === 'number') return { kind: 'number', text: source ?? '' };
  return value === null ? { kind: 'null' } : { kind: 'other' };
};

const parseLine = (
  line: string,
): { readonly value: unknown; readonly sources: ReadonlyMap<string, string> } | undefined => {
  const sources = new Map<string, string>();
  try {
    const value = JSON.parse(line, (key, parsed, context) => {
      if (typeof parsed === 'number' && context.source !== undefined) sources.set(key, context.source);
      return parsed;
    });
    return { value, sources };
  } catch {
    return undefined;
  }
};

const emptyRow = (row: number, problem: Omit<RowError, 'row' | 'column'>): FileRow =>
  jsonRow(row, [], [{ row, column: '', ...problem }]);

const rowOf = (line: string, row: number): FileRow => {
  const parsed = parseLine(line);
  if (parsed === undefined) {
    // A file that starts with { may be one object over many lines: then every line would be an error of its own.
    if (row === 1)
      throw refuseFile(
        'json_not_objects',
        'The file is neither a JSON array of objects nor one whole JSON object a line.',
        1,
      );
    return emptyRow(row, { code: 'malformed_json', message: 'The line is not valid JSON.' });
  }
  if (!isObject(parsed.value))
    return emptyRow(row, { code: 'json_not_objects', message: 'The line is not a JSON object.' });
  const entries = Object.entries(parsed.value);
  const values = entries.map(([key, value]) => [key, jsonValue(value, parsed.sources.get(key))] as const);
  const isFlat = values.every(([, value]) => value.kind !== 'other');
  const repeated = isFlat && writtenKeys(line) !== entries.length;
  const problems = repeated
    ? [{ row, column: '', code: 'field_repeated', message: 'A field stands in the object twice.' }]
    : noProblems;
  return jsonRow(row, values, problems);
};

/** Rows of JSON Lines: one object a line, blank lines skipped. */
export async function* readJsonLines(blocks: AsyncIterable<Buffer>): AsyncGenerator<readonly FileRow[]> {
  let row = 0;
  for await (const lines of linesOf(blocks)) {
    const rows: FileRow[] = [];
    for (const line of lines) if (line.trim() !== '') rows.push(rowOf(line, ++row));
    yield rows;
  }
}
