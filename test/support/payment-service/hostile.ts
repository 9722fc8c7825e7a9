import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { everyEndpoint } from '../../../functions/payment-service/endpoints/by-function.ts';
import { templateOf } from '../../../functions/payment-service/openapi/operation.ts';

/** The parts of a JSON schema from which invalid requests are made. */
interface Schema {
  readonly type?: string | undefined;
  readonly format?: string | undefined;
  readonly enum?: readonly unknown[] | undefined;
  readonly const?: unknown;
  readonly required?: readonly string[] | undefined;
  readonly properties?: Readonly<Record<string, Schema>> | undefined;
  readonly maxProperties?: number | undefined;
  readonly items?: Schema | undefined;
  readonly anyOf?: readonly Schema[] | undefined;
  readonly oneOf?: readonly Schema[] | undefined;
}

const schema: z.ZodType<Schema> = z.lazy(() =>
  z.looseObject({
    type: z.string().optional(),
    format: z.string().optional(),
    enum: z.array(z.unknown()).optional(),
    const: z.unknown().optional(),
    required: z.array(z.string()).optional(),
    properties: z.record(z.string(), schema).optional(),
    maxProperties: z.number().optional(),
    items: schema.optional(),
    anyOf: z.array(schema).optional(),
    oneOf: z.array(schema).optional(),
  }),
);

const parameter = z.looseObject({ name: z.string(), in: z.string(), schema });
const operation = z.looseObject({
  parameters: z.array(parameter).default([]),
  requestBody: z
    .looseObject({ content: z.looseObject({ 'application/json': z.looseObject({ schema }).optional() }) })
    .optional(),
});
const document = z
  .looseObject({ paths: z.record(z.string(), z.record(z.string(), operation)) })
  .parse(JSON.parse(readFileSync(new URL('../../../functions/payment-service/openapi.json', import.meta.url), 'utf8')));

export interface Target {
  readonly name: string;
  readonly method: string;
  /** With parameters: `/v1/things/:id`. */
  readonly path: string;
  readonly access: 'signed' | 'authorization' | 'none';
  /** Names of the query parameters. */
  readonly query: readonly string[];
  readonly body: Schema | undefined;
}

/** Every endpoint of the service, as documented. */
export const targets: readonly Target[] = Object.values(everyEndpoint()).map(({ method, path, access }) => {
  const described = document.paths[templateOf(path)]?.[method.toLowerCase()];
  if (described === undefined) throw new Error(`${method} ${path} is not in openapi.json: npm run openapi`);
  return {
    name: `${method} ${path}`,
    method,
    path,
    access,
    query: described.parameters.filter((one) => one.in === 'query').map(({ name }) => name),
    body: described.requestBody?.content['application/json']?.schema,
  };
});

const formats: Readonly<Record<string, string>> = {
  'date-time': '2026-11-21T06:00:00Z',
  uri: 'https://merchant.example/',
  email: 'nobody@merchant.example',
};

/** Whether a field belongs to an alternative that the sample does not use. The sample uses the last one. */
const isOfAnother = ({ oneOf = [] }: Schema, name: string): boolean =>
  oneOf.slice(0, -1).some(({ required = [] }) => required.includes(name));

/** A meaningless value that matches the schema. No currency and no payment method has this name. */
export const sampleOf = (of: Schema): unknown => {
  if (of.const !== undefined) return of.const;
  if (of.enum !== undefined) return of.enum[0];
  if (of.type === undefined && of.anyOf?.[0] !== undefined) return sampleOf(of.anyOf[0]);
  switch (of.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(of.properties ?? {})
          .filter(([name]) => !isOfAnother(of, name))
          .slice(0, of.maxProperties)
          .map(([name, part]) => [name, sampleOf(part)]),
      );
    case 'array':
      return of.items === undefined ? [] : [sampleOf(of.items)];
    case 'number':
    case 'integer':
      return 1;
    case 'boolean':
      return true;
    default:
      return formats[of.format ?? ''] ?? 'ABC123';
  }
};

type Place = readonly (string | number)[];

interface Field {
  readonly at: Place;
  readonly schema: Schema;
  readonly required: boolean;
}

/** Every field of a body, including those of the first item in its lists. */
const fieldsOf = (of: Schema, at: Place = []): readonly Field[] => {
  if (of.items !== undefined) return fieldsOf(of.items, [...at, 0]);
  const fields = Object.entries(of.properties ?? {}).filter(([name]) => !isOfAnother(of, name));
  return fields.flatMap(([name, part]) => {
    const place = [...at, name];
    return [{ at: place, schema: part, required: of.required?.includes(name) ?? false }, ...fieldsOf(part, place)];
  });
};

/** `disburseData[0].amount`, in the service's notation. */
const nameOf = (at: Place): string =>
  at.map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`)).join('');

const mark = '\u0001here\u0001';

/** The value with this field replaced. Undefined removes it. */
const replaced = (value: unknown, [first, ...rest]: Place, by: string | undefined): unknown => {
  if (first === undefined) return by;
  if (Array.isArray(value)) return value.map((one, index) => (index === first ? replaced(one, rest, by) : one));
  const fields = z.record(z.string(), z.unknown()).parse(value);
  return { ...fields, [first]: replaced(fields[first], rest, by) };
};

/** The sample's JSON with this text, valid JSON or not, in one place. */
const written = (sample: unknown, at: Place, json: string): string =>
  JSON.stringify(replaced(sample, at, mark)).replace(JSON.stringify(mark), () => json);

const others: Readonly<Record<string, readonly string[]>> = {
  string: ['7', 'true', 'null', '{}', '[]', '["ABC123"]'],
  number: ['"5"', '"NaN"', 'true', 'null', '{}', '[]', '[5]'],
  integer: ['"5"', 'true', 'null', '{}', '[]'],
  boolean: ['"true"', '1', 'null', '{}'],
  array: ['"x"', '{}', 'null', '5', '{"0":{},"length":1}'],
  object: ['"x"', '[]', 'null', '5', 'true'],
};

/** Numbers that no amount can have. */
const noAmounts = [
  '1e400',
  '1e99',
  '9'.repeat(40),
  '-1',
  '0',
  '-0',
  '0.0',
  '0e5',
  '1e-31',
  `1.${'1'.repeat(40)}`,
  '-1e9',
];

const badTexts = ['', ' ', 'x'.repeat(100_000), 'a\u0000b', 'a\u202eb\u2066', 'a\nb', '\ud800'].map((text) =>
  JSON.stringify(text),
);

export interface HostileBody {
  readonly name: string;
  readonly bytes: Buffer;
  /** How the complaint must begin, when the service must name the field. */
  readonly says?: string;
}

const short = (text: string): string => (text.length > 24 ? `${text.slice(0, 20)}… (${text.length})` : text);

/** Bodies that no endpoint accepts. */
const noBodies: readonly HostileBody[] = [
  ['malformed', '{"a":'],
  ['two values', '{} {}'],
  ['a trailing comma', '{"a":1,}'],
  ['a comment', '{/*a*/}'],
  ['single quotes', "{'a':1}"],
  ['empty', ''],
  ['white space', ' \n '],
  ['NaN', 'NaN'],
  ['a list', '[]'],
  ['a text', '"x"'],
  ['null', 'null'],
  ['a number', '5'],
  ['lists in lists', `${'['.repeat(10_000)}${']'.repeat(10_000)}`],
  ['objects in objects', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
  ['a megabyte', `{"a":"${'x'.repeat(1_000_000)}"}`],
].map(([name = '', text = '']) => ({ name, bytes: Buffer.from(text) }));

/** Bodies that an endpoint must refuse, named for what is wrong. */
export const hostileBodies = (of: Schema): readonly HostileBody[] => {
  const sample = sampleOf(of);
  const fields = fieldsOf(of);
  const at = (field: Field, what: string, json: string): HostileBody => ({
    name: `${nameOf(field.at)} ${what}`,
    bytes: Buffer.from(written(sample, field.at, json)),
    says: nameOf(field.at),
  });
  const whole = JSON.stringify(sample);
  const [first] = fields.filter(({ schema: { type } }) => type === 'string');
  return [
    ...noBodies,
    { name: 'UTF-16', bytes: Buffer.from(whole, 'utf16le') },
    { name: 'its fields in __proto__', bytes: Buffer.from(`{"__proto__":${whole}}`) },
    { name: 'its fields in constructor', bytes: Buffer.from(`{"constructor":{"prototype":${whole}}}`) },
    { name: 'itself in a list', bytes: Buffer.from(`[${whole}]`) },
    ...(first === undefined
      ? []
      : [
          {
            name: 'invalid UTF-8',
            bytes: Buffer.concat(splitAt(written(sample, first.at, '"A\u0001B"'), Buffer.from([0xc3, 0x28]))),
          },
        ]),
    ...fields
      .filter(({ required }) => required)
      .map((field) => ({
        name: `${nameOf(field.at)} missing`,
        bytes: Buffer.from(JSON.stringify(replaced(sample, field.at, undefined))),
        says: nameOf(field.at),
      })),
    ...fields.flatMap((field) =>
      (others[field.schema.type ?? ''] ?? [])
        // An optional field that is null counts as absent.
        .filter((json) => json !== 'null' || field.required)
        .map((json) => at(field, `of another type: ${json}`, json)),
    ),
    ...fields
      .filter(({ schema: { type } }) => type === 'number')
      .flatMap((field) => noAmounts.map((json) => at(field, `that is no amount: ${short(json)}`, json))),
  ];
};

/** The bytes of a text with others in place of its mark. */
const splitAt = (text: string, between: Buffer): readonly Buffer[] => {
  const [before = '', after = ''] = text.split('\u0001');
  return [Buffer.from(before), between, Buffer.from(after)];
};

/** Bodies of the right types with texts that nobody should send. They are refused, or accepted as plain text. */
export const oddBodies = (of: Schema): readonly HostileBody[] => {
  const sample = sampleOf(of);
  const texts = fieldsOf(of).filter(({ schema: { type } }) => type === 'string');
  return texts.flatMap((field) =>
    badTexts.map((json) => ({
      name: `${nameOf(field.at)} = ${short(json)}`,
      bytes: Buffer.from(written(sample, field.at, json)),
    })),
  );
};

/** Unexpected values for query parameters and path segments. */
export const oddWords: readonly string[] = [
  '',
  ' ',
  '0',
  '-1',
  '1e400',
  '9'.repeat(40),
  'NaN',
  'null',
  '__proto__',
  'constructor',
  'a\u0000b',
  'a\u202eb',
  '\u{1f4a9}',
  "'; DROP TABLE",
  '{"$gt":""}',
  '+275760-09-13T00:00:00.000Z',
  '../..',
  'x'.repeat(3000),
];
