import * as z from 'zod';

export type Json = Readonly<Record<string, unknown>>;

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object at a key; an empty one where there is none. */
export const jsonAt = (value: unknown, key: string): Json => {
  const found = isJson(value) ? value[key] : undefined;
  return isJson(found) ? found : {};
};

/** Schemas with an id become components; zod refers to them under $defs, OpenAPI under components. */
const withComponentReferences = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withComponentReferences);
  if (!isJson(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key,
      key === '$ref' && typeof part === 'string'
        ? part.replace('#/$defs/', '#/components/schemas/')
        : withComponentReferences(part),
    ]),
  );
};

/** Bounds that zod gives to every whole number, and that say nothing. */
const safeBounds = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];

/** Zod's translation of one schema, put into the words of the wire where its meta has them. */
const translateOne = (json: z.core.JSONSchema.BaseSchema, zodSchema: z.core.$ZodType): void => {
  const { wire, description } = json;
  const examples = z.globalRegistry.get(zodSchema)?.['examples'];
  // Zod leaves them out of what it parses into something else, but ours are what callers send.
  if (examples !== undefined) Object.assign(json, { examples });
  if (isJson(wire)) {
    for (const key of Object.keys(json)) delete json[key];
    Object.assign(json, wire, description === undefined ? {} : { description });
  }
  // The format says as much, and can be read.
  if (json.format === 'date-time' || json.format === 'date') delete json.pattern;
  for (const bound of ['minimum', 'maximum'] as const) {
    if (safeBounds.includes(json[bound] ?? 0)) delete json[bound];
  }
};

/**
 * JSON schemas of many zod schemas at once, so that what they share is one component.
 *
 * @param io whether callers send it or receive it
 */
export const jsonSchemas = (schemas: Readonly<Record<string, z.ZodType>>, io: 'input' | 'output') => {
  const whole = withComponentReferences(
    z.toJSONSchema(z.object(schemas), {
      io,
      unrepresentable: 'any',
      // What only code can tell comes out empty, and a test finds it.
      override: ({ jsonSchema, zodSchema }) => translateOne(jsonSchema, zodSchema),
    }),
  );
  return { named: jsonAt(whole, 'properties'), components: jsonAt(whole, '$defs') };
};
