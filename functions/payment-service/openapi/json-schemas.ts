import * as z from 'zod';

export type Json = Readonly<Record<string, unknown>>;

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object at a key, or an empty object. */
export const jsonAt = (value: unknown, key: string): Json => {
  const found = isJson(value) ? value[key] : undefined;
  return isJson(found) ? found : {};
};

/** Zod sets these bounds for every whole number. They carry no information. */
const safeBounds = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];

/** Adjusts zod's translation of one schema: `wire` in its meta replaces the translation. */
const translateOne = (json: z.core.JSONSchema.BaseSchema, zodSchema: z.core.$ZodType): void => {
  const { wire, description } = json;
  const examples = z.globalRegistry.get(zodSchema)?.['examples'];
  // Zod omits the examples of a schema that transforms its value, but ours show what callers send.
  if (examples !== undefined) Object.assign(json, { examples });
  if (isJson(wire)) {
    for (const key of Object.keys(json)) delete json[key];
    Object.assign(json, wire, description === undefined ? {} : { description });
  }
  // The format says the same, and is easier to read.
  if (json.format === 'date-time' || json.format === 'date') delete json.pattern;
  for (const bound of ['minimum', 'maximum'] as const) {
    if (safeBounds.includes(json[bound] ?? 0)) delete json[bound];
  }
};

/**
 * JSON schemas of many zod schemas, translated together so that they share components.
 *
 * @param io whether callers send the values or receive them
 */
export const jsonSchemas = (schemas: Readonly<Record<string, z.ZodType>>, io: 'input' | 'output') => {
  const translated = z.toJSONSchema(z.object(schemas), {
    io,
    unrepresentable: 'any',
    // A schema that JSON cannot express comes out empty, and a test finds it.
    override: ({ jsonSchema, zodSchema }) => translateOne(jsonSchema, zodSchema),
  });
  // Schemas with an id become components. Zod puts them under $defs, OpenAPI under components.
  const whole: unknown = JSON.parse(JSON.stringify(translated).replaceAll('"#/$defs/', '"#/components/schemas/'));
  return { named: jsonAt(whole, 'properties'), components: jsonAt(whole, '$defs') };
};
