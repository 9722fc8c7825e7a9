import * as z from 'zod';

/** What an endpoint answers when all went well, as the OpenAPI document tells it and tests check it. */
export interface SuccessAnswer<Body> {
  readonly statusCode: 200 | 201;
  readonly contentType: string;
  /** Of a JSON body; left out where the answer is a file. */
  readonly body?: z.ZodType<unknown, Body>;
  /** Besides the usual ones: what each says, by its name. */
  readonly headers?: Readonly<Record<string, string>>;
}

const json = <Body>(statusCode: 200 | 201, body: z.ZodType<unknown, Body>): SuccessAnswer<Body> => ({
  statusCode,
  contentType: 'application/json',
  body,
});

const message = z.string();

/** The envelope with `data`. */
export const enveloped = <Data extends z.ZodType>(data: Data) =>
  json(200, z.strictObject({ statusCode: z.literal(200), message, data }));

/** The same where the request made something and the body says 201. */
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

/** The envelope without `data`. */
export const messageOnly = json(200, z.strictObject({ statusCode: z.literal(200), message }));

/** A body of its own, without the envelope. */
export const withoutEnvelope = <Body>(body: z.ZodType<unknown, Body>): SuccessAnswer<Body> => json(200, body);

/** A file to be saved, as `file` of answers.ts makes it. */
export const attachment = (contentType: string): SuccessAnswer<never> => ({
  statusCode: 200,
  contentType,
  headers: { 'Content-Disposition': '`attachment`, with a file name.' },
});
