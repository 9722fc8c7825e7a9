/** Header names are in lower case. */
export type Headers = Readonly<Record<string, string>>;

/** The envelope of an error. */
export interface ErrorBody {
  readonly statusCode: number;
  readonly error: string;
  readonly message: string;
}

/**
 * An endpoint's answer: JSON of the shape `Body`, or other content such as a file or a page. The HTTP status of JSON is
 * the body's `statusCode`.
 */
export type Answer<Body extends object = object> = {
  readonly statusCode: number;
  /** Added to the headers of every answer. */
  readonly headers?: Headers;
} & (
  | { readonly kind: 'json'; readonly body: Body }
  | { readonly kind: 'content'; readonly contentType: string; readonly content: string | Uint8Array }
);

/** Every error status that the service, or the gateway in front of it, answers with. */
export const errorNames = {
  400: 'Bad Request',
  401: 'Unauthorized',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  410: 'Gone',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
} as const;

export type ErrorStatus = keyof typeof errorNames;

const json = <Body extends object>(statusCode: number, body: Body): Answer<Body> => ({
  kind: 'json',
  statusCode,
  body,
});

/** A body without an envelope. */
export const bare = <Body extends object>(body: Body) => json(200, body);

/** The envelope of a success without data. */
export const done = (message: string) => json(200, { statusCode: 200 as const, message });

/** The usual envelope of a success. */
export const success = <Data>(message: string, data: Data) => json(200, { statusCode: 200 as const, message, data });

/** The envelope of a success with the request's id and the time. */
export const successOfRequest = <Data>(message: string, data: Data, requestId: string, now: Date) =>
  json(200, { statusCode: 200 as const, message, data, requestId, timestamp: now.toISOString() });

/** The envelope of a success that created something. */
export const created = <Data>(message: string, data: Data) => json(201, { statusCode: 201 as const, message, data });

/** The envelope of an error. */
export const failure = (statusCode: ErrorStatus, message: string, headers: Headers = {}): Answer<ErrorBody> => ({
  ...json(statusCode, { statusCode, error: errorNames[statusCode], message }),
  headers,
});

export const badRequest = (message: string): Answer<ErrorBody> => failure(400, message);

/** A file to download. */
export const file = (contentType: string, fileName: string, bytes: Uint8Array): Answer<never> => ({
  kind: 'content',
  statusCode: 200,
  contentType,
  content: bytes,
  headers: { 'content-disposition': `attachment; filename="${fileName}"` },
});
