/**
 * Types of the JSON source text access of ECMAScript (in Node 24), which the TypeScript library does not declare yet:
 * a reviver is given the source text of a primitive, and JSON.rawJSON writes a number exactly as its text says.
 */
interface JsonReviverContext {
  readonly source?: string;
}

interface RawJson {
  readonly rawJSON: string;
}

interface JSON {
  parse(
    text: string,
    reviver: (this: unknown, key: string, value: unknown, context: JsonReviverContext) => unknown,
  ): unknown;
  rawJSON(text: string): RawJson;
}
