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

const envelope = <Status extends 200 | 201, Rest extends z.ZodRawShape>(statusCode: Status, rest: Rest) =>
  json(statusCode, z.strictObject({ statusCode: z.literal(statusCode), message: z.string(), ...rest }));

/** The usual envelope, with `data`. */
export const enveloped = <Data extends z.ZodType>(data: Data) => envelope(200, { data });

/** The same for a request that created something. Its body has status 201. */
export const envelopedAsCreated = <Data extends z.ZodType>(data: Data) => envelope(201, { data });

/** The envelope with `data`, the request's id and the time. */
export const envelopedWithRequest = <Data extends z.ZodType>(data: Data) =>
  envelope(200, { data, requestId: z.string(), timestamp: z.iso.datetime() });

/** The usual envelope, without `data`. */
export const messageOnly = envelope(200, {});

/** A body without an envelope. */
export const withoutEnvelope = <Body>(body: z.ZodType<unknown, Body>): SuccessAnswer<Body> => json(200, body);

/** A file download, as `file` in `answers.ts` makes it. */
export const attachment = (contentType: string): SuccessAnswer<never> => ({
  statusCode: 200,
  contentType,
  headers: { 'Content-Disposition': '`attachment`, with a file name.' },
});
