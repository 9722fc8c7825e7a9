import { StringDecoder } from 'node:string_decoder';
import { InvariantBroken } from '../errors.ts';
import type { Instruction } from '../payout-file/readers/pain-001/read-pain-001.ts';

/** A line of instructions.jsonl. */
export const instructionLine = (instruction: Instruction): string => `${JSON.stringify(instruction)}\n`;

const isText = (value: unknown): value is string => typeof value === 'string';

const instructionOf = (line: string): Instruction => {
  const values: unknown = JSON.parse(line);
  if (!Array.isArray(values) || !values.every(isText)) throw new InvariantBroken('instructions.jsonl has another line');
  const [first = '', endToEndId, uetr] = values;
  return endToEndId === undefined || uetr === undefined ? [first] : [first, endToEndId, uetr];
};

/** Reads the instructions of an instructions.jsonl, part by part. */
export async function* readInstructions(parts: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Instruction[]> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const part of parts) {
    const lines = `${rest}${decoder.write(part)}`.split('\n');
    rest = lines.pop() ?? '';
    yield lines.map(instructionOf);
  }
}
