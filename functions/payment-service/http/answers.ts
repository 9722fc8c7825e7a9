/** Names in lower case. */
export type Headers = Readonly<Record<string, string>>;

/** What the router writes back. The HTTP status is the body's `statusCode`. */
export type Answer = { /** Besides those that every answer has. */ readonly headers?: Headers } & (
  | { readonly kind: 'json'; readonly statusCode: number; readonly body: object }
  | {
      readonly kind: 'file';
      readonly contentType: string;
      readonly fileName: string;
      readonly bytes: Uint8Array;
    }
);

const errorNames = new Map([
  [400, 'Bad Request'],
  [401, 'Unauthorized'],
  [404, 'Not Found'],
  [409, 'Conflict'],
  [410, 'Gone'],
  [500, 'Internal Server Error'],
  [503, 'Service Unavailable'],
]);

/** The envelope of a success; `extras` are what some responses carry besides. */
export const success = (
  message: string,
  data?: object,
  extras: { readonly requestId?: string; readonly timestamp?: string } = {},
): Answer => ({ kind: 'json', statusCode: 200, body: { statusCode: 200, message, data, ...extras } });

/** The envelope of an error. */
export const failure = (statusCode: number, message: string): Answer => ({
  kind: 'json',
  statusCode,
  body: { statusCode, error: errorNames.get(statusCode) ?? 'Error', message },
});

export const badRequest = (message: string): Answer => failure(400, message);

/** A body of its own, without the envelope. */
export const bare = (body: object): Answer => ({ kind: 'json', statusCode: 200, body });

export const file = (contentType: string, fileName: string, bytes: Uint8Array): Answer => ({
  kind: 'file',
  contentType,
  fileName,
  bytes,
});
