/** Header names are in lower case. */
export type Headers = Readonly<Record<string, string>>;

/** The envelope of an error. */
export interface ErrorBody {
  readonly statusCode: number;
  readonly error: string;
  readonly message: string;
}

/**
 * An endpoint's answer: JSON of the shape `Body`, a file, or content for a browser. The HTTP status of JSON is the
 * body's `statusCode`.
 */
export type Answer<Body extends object = object> = {
  /** Added to the headers of every answer. They win over one of the same name. */
  readonly headers?: Headers;
} & (
  | { readonly kind: 'json'; readonly statusCode: number; readonly body: Body }
  | {
      readonly kind: 'file';
      readonly contentType: string;
      readonly fileName: string;
      readonly bytes: Uint8Array;
    }
  | {
      /** A page, an image or a redirect for a browser. Not part of the API. */
      readonly kind: 'content';
      readonly statusCode: number;
      readonly contentType: string;
      readonly content: string | Uint8Array;
    }
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

/** The envelope of a success. `extras` are further fields that some responses have. */
export function success(message: string): Answer<{ readonly statusCode: 200; readonly message: string }>;
export function success<Data, Extras extends object = object>(
  message: string,
  data: Data,
  extras?: Extras,
): Answer<{ readonly statusCode: 200; readonly message: string; readonly data: Data } & Extras>;
export function success(message: string, data?: unknown, extras: object = {}): Answer {
  return { kind: 'json', statusCode: 200, body: { statusCode: 200, message, data, ...extras } };
}

/** The further fields of `envelopedWithRequest`. */
export const requestExtras = (requestId: string, now: Date) => ({ requestId, timestamp: now.toISOString() });

/** The envelope of a success that created something. */
export const created = <Data>(
  message: string,
  data: Data,
): Answer<{ readonly statusCode: 201; readonly message: string; readonly data: Data }> => ({
  kind: 'json',
  statusCode: 201,
  body: { statusCode: 201, message, data },
});

/** The envelope of an error. */
export const failure = (statusCode: ErrorStatus, message: string, headers: Headers = {}): Answer<ErrorBody> => ({
  kind: 'json',
  statusCode,
  headers,
  body: { statusCode, error: errorNames[statusCode], message },
});

export const badRequest = (message: string): Answer<ErrorBody> => failure(400, message);

/** A body without an envelope. */
export const bare = <Body extends object>(body: Body): Answer<Body> => ({ kind: 'json', statusCode: 200, body });

export const file = (contentType: string, fileName: string, bytes: Uint8Array): Answer<never> => ({
  kind: 'file',
  contentType,
  fileName,
  bytes,
});
