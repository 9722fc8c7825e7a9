import { Refused } from '../domain/refused.ts';

/** Header names are in lower case. */
export type Headers = Readonly<Record<string, string>>;

/** An answer: JSON, or other content such as a file or a page. The HTTP status of JSON is the body's `statusCode`. */
export type Answer = {
  readonly statusCode: number;
  /** Added to the headers of every answer. */
  readonly headers?: Headers;
} & (
  | { readonly kind: 'json'; readonly body: object }
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

/** A refusal with another status than 400. */
export class RefusedWith extends Refused {
  readonly statusCode: ErrorStatus;
  constructor(statusCode: ErrorStatus, message: string) {
    super(message);
    this.statusCode = statusCode;
  }
}

/** The envelope of an error. */
export const failure = (statusCode: ErrorStatus, message: string, headers: Headers = {}): Answer => ({
  kind: 'json',
  statusCode,
  body: { statusCode, error: errorNames[statusCode], message },
  headers,
});
