import * as z from 'zod';

/** A value in DynamoDB's wire format: `{"S": "text"}`. */
export const wireItem = z.record(z.string(), z.record(z.string(), z.unknown()));

export type WireItem = z.infer<typeof wireItem>;

const text = z.string();
const texts = z.array(z.string());
const values = z.array(z.record(z.string(), z.unknown()));

/** A number takes one byte per two digits, plus one. */
const numberBytes = (digits: string): number => Math.ceil(digits.replaceAll(/[^\d]/g, '').length / 2) + 1;

/** A list or a map takes three bytes, plus one per value. */
const containerBytes = 3;

const valueBytes = (value: Readonly<Record<string, unknown>>): number => {
  const [[type, content] = ['NULL', true]] = Object.entries(value);
  switch (type) {
    case 'S':
      return Buffer.byteLength(text.parse(content));
    case 'N':
      return numberBytes(text.parse(content));
    case 'B':
      return Buffer.byteLength(text.parse(content), 'base64');
    case 'BOOL':
    case 'NULL':
      return 1;
    case 'SS':
      return texts.parse(content).reduce((sum, one) => sum + Buffer.byteLength(one), 0);
    case 'L':
      return values.parse(content).reduce((sum, one) => sum + 1 + valueBytes(one), containerBytes);
    case 'M':
      return Object.values(wireItem.parse(content)).length + containerBytes + itemBytes(wireItem.parse(content));
    default:
      throw new Error(`unknown size of a DynamoDB value of type ${type}`);
  }
};

/**
 * Bytes of an item as DynamoDB counts them: names and values. Source: "DynamoDB item sizes and formats" in the Amazon
 * DynamoDB developer guide.
 */
export const itemBytes = (item: WireItem): number =>
  Object.entries(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + valueBytes(value), 0);
