import { STATUS_CODES } from 'node:http';
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

/** Every status of an error in the envelope, from the service or from the gateway in front of it. */
export const errorStatuses = [400, 401, 404, 405, 409, 410, 429, 500, 503] as const;

export type ErrorStatus = (typeof errorStatuses)[number];

/** Its name in HTTP: `Not Found`. */
export const errorName = (status: ErrorStatus): string => STATUS_CODES[status] ?? '';

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
  body: { statusCode, error: errorName(statusCode), message },
  headers,
});
