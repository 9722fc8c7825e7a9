import * as z from 'zod';
import { given } from '../domain/given.ts';
import { parseJsonBySource } from './transport/json-by-source.ts';
import { integer, received } from './wire-values.ts';

/** The service's answer to one request, by the rules in ANSWERS.md, "Reading an answer". */
export type ServiceAnswer<T> =
  | { readonly kind: 'succeeded'; readonly statusCode: number; readonly data: T }
  /**
   * Refused: a well-formed error body with a status of 400 to 499, or a 401 or 403 of a gateway. `isBare`: a 401 or 403 without
   * a message. A gateway may refuse after the service has done its work.
   */
  | { readonly kind: 'refused'; readonly statusCode: number; readonly message: string; readonly isBare?: true }
  /** No byte of the request can have reached the service. */
  | { readonly kind: 'not_sent'; readonly cause: string }
  /** Proves nothing. `cause` is a code. */
  | { readonly kind: 'unknown'; readonly cause: string };

export interface RawResponse {
  /** The HTTP status. It decides when the body has no status code. From 500 on, it contradicts a refusal in the body. */
  readonly status: number;
  readonly body: Buffer;
}

const envelope = received(() => ({
  statusCode: integer().refine((code) => code >= 100 && code <= 599),
  message: z
    .union([z.string(), z.array(z.string()).transform((lines) => lines.join('; '))])
    .optional()
    .catch(undefined),
  error: z.unknown().optional(),
  data: z.unknown().optional(),
}));
type Envelope = z.infer<ReturnType<typeof envelope>>;

const parseBody = (body: Buffer): unknown => {
  try {
    return parseJsonBySource(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
};

const unknownFor = (cause: string) => ({ kind: 'unknown', cause }) as const;

/**
 * Classifies an answer without the service's envelope by its HTTP status. The document does not show how authentication failures
 * look, so a bare 401 or 403 (a gateway's form) is a refusal. The service may already have done its work.
 */
const withoutEnvelope = <T>(status: number): ServiceAnswer<T> => {
  if (status === 401 || status === 403) return { kind: 'refused', statusCode: status, message: '', isBare: true };
  return unknownFor(status >= 200 && status < 300 ? 'unreadable_body' : `status_${status}`);
};

/**
 * True for the messages of frameworks and gateways about a wrong path, in the service's own envelope. They say nothing about a
 * disbursement.
 */
const isNoSuchRoute = (message: string): boolean =>
  /^(cannot (get|post|patch)\b|route\b|no (such )?(route|endpoint|resource)\b)/i.test(message);

const readRefusal = <T>(status: number, body: Envelope): ServiceAnswer<T> => {
  const { statusCode, message = '' } = body;
  const isBare = body.message === undefined;
  if (isBare && statusCode !== 401 && statusCode !== 403) return unknownFor('unreadable_body');
  if (body.data !== undefined && body.data !== null) return unknownFor('body_contradiction');
  // The service would not both fail and refuse. A proxy may have failed after the service began to act.
  if (status >= 500) return unknownFor('status_contradiction');
  if (statusCode === 404 && isNoSuchRoute(message)) return unknownFor('no_such_route');
  return { kind: 'refused', statusCode, message, ...given({ isBare: isBare || undefined }) };
};

const readData = <T>(statusCode: number, received: unknown, data: z.ZodType<T>): ServiceAnswer<T> => {
  const parsed = data.safeParse(received);
  return parsed.success ? { kind: 'succeeded', statusCode, data: parsed.data } : unknownFor('data_unreadable');
};

const readParsedEnvelope = <T>(status: number, body: Envelope, data: z.ZodType<T>): ServiceAnswer<T> => {
  if (body.statusCode >= 400 && body.statusCode < 500) return readRefusal(status, body);
  if (body.statusCode !== 200 && body.statusCode !== 201) return unknownFor(`status_${body.statusCode}`);
  if (typeof body.error === 'string' && body.error !== '') return unknownFor('body_contradiction');
  return readData(body.statusCode, body.data, data);
};

/** Reads `{statusCode, message, data}`. The body's status code decides, except that no refusal counts under HTTP 500 or more. */
export const readEnvelope = <T>(response: RawResponse, data: z.ZodType<T>): ServiceAnswer<T> => {
  const body = envelope().safeParse(parseBody(response.body));
  return body.success ? readParsedEnvelope(response.status, body.data, data) : withoutEnvelope(response.status);
};

/** Reads a body without an envelope, as the balance has. Errors still come in the envelope. */
export const readBare = <T>(response: RawResponse, data: z.ZodType<T>): ServiceAnswer<T> => {
  const body = parseBody(response.body);
  const enveloped = envelope().safeParse(body);
  if (enveloped.success) return readParsedEnvelope(response.status, enveloped.data, data);
  if (response.status !== 200 && response.status !== 201) return withoutEnvelope(response.status);
  return readData(response.status, body, data);
};

const pdfStart = Buffer.from('%PDF-');
const pdfEnd = Buffer.from('%%EOF');

/** Reads a PDF. A truncated one is `unknown` `unreadable_body`, because it would be archived as evidence. */
export const readPdf = (response: RawResponse): ServiceAnswer<Uint8Array> => {
  const { status, body } = response;
  if (status !== 200 || !body.subarray(0, pdfStart.length).equals(pdfStart)) return readEnvelope(response, z.never());
  if (!body.subarray(-1024).includes(pdfEnd)) return unknownFor('unreadable_body');
  return { kind: 'succeeded', statusCode: 200, data: body };
};
