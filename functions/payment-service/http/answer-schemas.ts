import * as z from 'zod';

/** The successful answer of an endpoint. The OpenAPI document describes it, and tests check answers against it. */
export interface SuccessAnswer<Body> {
  readonly statusCode: 200 | 201;
  readonly contentType: string;
  /** The schema of a JSON body. Undefined when the answer is a file. */
  readonly body?: z.ZodType<unknown, Body>;
  /** Headers that only this answer has: descriptions by name. */
  readonly headers?: Readonly<Record<string, string>>;
}

const json = <Body>(statusCode: 200 | 201, body: z.ZodType<unknown, Body>): SuccessAnswer<Body> => ({
  statusCode,
  contentType: 'application/json',
  body,
});

const message = z.string();

/** The usual envelope, with `data`. */
export const enveloped = <Data extends z.ZodType>(data: Data) =>
  json(200, z.strictObject({ statusCode: z.literal(200), message, data }));

/** The same for a request that created something. Its body has status 201. */
export const envelopedAsCreated = <Data extends z.ZodType>(data: Data) =>
  json(201, z.strictObject({ statusCode: z.literal(201), message, data }));

/** The envelope with `data`, the request's id and the time. */
export const envelopedWithRequest = <Data extends z.ZodType>(data: Data) =>
  json(
    200,
    z.strictObject({
      statusCode: z.literal(200),
      message,
      data,
      requestId: z.string(),
      timestamp: z.iso.datetime(),
    }),
  );

/** The usual envelope, without `data`. */
export const messageOnly = json(200, z.strictObject({ statusCode: z.literal(200), message }));

/** A body without an envelope. */
export const withoutEnvelope = <Body>(body: z.ZodType<unknown, Body>): SuccessAnswer<Body> => json(200, body);

/** A file download, as `file` in `answers.ts` makes it. */
export const attachment = (contentType: string): SuccessAnswer<never> => ({
  statusCode: 200,
  contentType,
  headers: { 'Content-Disposition': '`attachment`, with a file name.' },
});
