/** Names in lower case. */
export type Headers = Readonly<Record<string, string>>;

/** The envelope of an error. */
export interface ErrorBody {
  readonly statusCode: number;
  readonly error: string;
  readonly message: string;
}

/** What the router writes back: JSON of the shape `Body`, or a file. The HTTP status is the body's `statusCode`. */
export type Answer<Body extends object = object> = {
  /** Besides those that every answer has; one of the same name stands for it. */
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
      /** What is for a browser and not of the interface: a page, an image, a redirect. */
      readonly kind: 'content';
      readonly statusCode: number;
      readonly contentType: string;
      readonly content: string | Uint8Array;
    }
);

/** Every status of an error that the service or the gateway before it answers. */
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

/** The envelope of a success; `extras` are what some responses carry besides. */
export function success(message: string): Answer<{ readonly statusCode: 200; readonly message: string }>;
export function success<Data, Extras extends object = object>(
  message: string,
  data: Data,
  extras?: Extras,
): Answer<{ readonly statusCode: 200; readonly message: string; readonly data: Data } & Extras>;
export function success(message: string, data?: unknown, extras: object = {}): Answer {
  return { kind: 'json', statusCode: 200, body: { statusCode: 200, message, data, ...extras } };
}

/** The envelope of a success that made something. */
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

/** A body of its own, without the envelope. */
export const bare = <Body extends object>(body: Body): Answer<Body> => ({ kind: 'json', statusCode: 200, body });

export const file = (contentType: string, fileName: string, bytes: Uint8Array): Answer<never> => ({
  kind: 'file',
  contentType,
  fileName,
  bytes,
});
