/**
 * Types of ECMAScript's JSON source text access (in Node 24), which TypeScript's library does not declare yet. A reviver
 * receives the source text of a primitive. `JSON.rawJSON` writes a number exactly as in its text.
 */
interface RawJson {
  readonly rawJSON: string;
}

interface JSON {
  parse(
    text: string,
    reviver: (this: unknown, key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): RawJson;
}
