import * as z from 'zod';
import type { Answer, Headers } from './answers.ts';

/**
 * The successful answer of an endpoint, made from its result. The OpenAPI document describes it, and tests check answers
 * against it.
 */
export interface Success<Data> {
  readonly statusCode: 200 | 201;
  readonly contentType: string;
  /** The schema of a JSON body. Undefined when the answer is a file. */
  readonly body?: z.ZodType;
  /** Headers that only this answer has: descriptions by name. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly answerWith: (data: Data, requestId: string, now: Date) => Answer;
}

const envelope = <Data>(
  statusCode: 200 | 201,
  message: string,
  shape: z.ZodRawShape,
  fields: (...result: Parameters<Success<Data>['answerWith']>) => object,
): Success<Data> => ({
  statusCode,
  contentType: 'application/json',
  body: z.strictObject({ statusCode: z.literal(statusCode), message: z.string(), ...shape }),
  answerWith: (...result) => ({
    kind: 'json',
    statusCode,
    body: { statusCode, message, ...fields(...result) },
  }),
});

/** The usual envelope, with `data`. New deposits answer 201; all else answers 200, even new checkouts and disbursements. */
export const enveloped = <Data>(message: string, data: z.ZodType<unknown, Data>, statusCode: 200 | 201 = 200) =>
  envelope<Data>(statusCode, message, { data }, (own) => ({ data: own }));

/** The envelope with `data`, the request's id and the time. */
export const envelopedWithRequest = <Data>(message: string, data: z.ZodType<unknown, Data>) =>
  envelope<Data>(200, message, { data, requestId: z.string(), timestamp: z.iso.datetime() }, (own, requestId, now) => ({
    data: own,
    requestId,
    timestamp: now.toISOString(),
  }));

/** The usual envelope, without `data`. */
export const messageOnly = (message: string) => envelope<void>(200, message, {}, () => ({}));

/** A body without an envelope. */
export const withoutEnvelope = <Body extends object>(
  body: z.ZodType<unknown, Body>,
  headers?: Headers,
): Success<Body> => ({
  statusCode: 200,
  contentType: 'application/json',
  body,
  answerWith: (own) => ({ kind: 'json', statusCode: 200, body: own, ...(headers && { headers }) }),
});

/** A file download. */
export const attachment = (
  contentType: string,
): Success<{ readonly fileName: string; readonly bytes: Uint8Array }> => ({
  statusCode: 200,
  contentType,
  headers: { 'Content-Disposition': '`attachment`, with a file name.' },
  answerWith: ({ fileName, bytes }) => ({
    kind: 'content',
    statusCode: 200,
    contentType,
    content: bytes,
    headers: { 'content-disposition': `attachment; filename="${fileName}"` },
  }),
});
