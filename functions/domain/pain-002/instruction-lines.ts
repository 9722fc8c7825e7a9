import { StringDecoder } from 'node:string_decoder';
import { InvariantBroken } from '../errors.ts';
import type { PaymentSeen, TransactionSeen } from '../payout-file/readers/pain-001/read-pain-001.ts';

export type Instruction = PaymentSeen | TransactionSeen;

/** A line of instructions.jsonl: an array with the id of a payment, or with the three of a transaction, a row's each. */
export const instructionLine = (instruction: Instruction): string =>
  instruction.kind === 'payment'
    ? `${JSON.stringify([instruction.paymentId])}\n`
    : `${JSON.stringify([instruction.instructionId, instruction.endToEndId, instruction.uetr])}\n`;

const isText = (value: unknown): value is string => typeof value === 'string';

const instructionOf = (line: string): Instruction => {
  const values: unknown = JSON.parse(line);
  if (!Array.isArray(values) || !values.every(isText)) throw new InvariantBroken('instructions.jsonl has another line');
  const [first = '', endToEndId, uetr] = values;
  return endToEndId === undefined || uetr === undefined
    ? { kind: 'payment', paymentId: first }
    : { kind: 'transaction', instructionId: first, endToEndId, uetr };
};

/** The instructions of an instructions.jsonl, a part's at a time. */
export async function* readInstructions(parts: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Instruction[]> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const part of parts) {
    const lines = `${rest}${decoder.write(part)}`.split('\n');
    rest = lines.pop() ?? '';
    yield lines.map(instructionOf);
  }
}
