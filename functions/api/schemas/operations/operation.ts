import type { z } from 'zod';
import type { ProblemCode } from '../problem.ts';

/** What a file that is answered is, and what it is called where it is saved. */
export interface FileKind {
  readonly contentType: string;
  readonly name: string;
}

/** What one endpoint takes and answers: the adapter parses by it, and the OpenAPI document is made from it. */
export interface Operation<
  Path extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Headers extends z.ZodObject = z.ZodObject,
  Body extends z.ZodObject = z.ZodObject,
> {
  readonly id: string;
  readonly method: 'get' | 'post';
  /** As API Gateway and OpenAPI write it: `/batches/{batchId}`. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** A value that does not fit is a 404: there is nothing at such an address. */
  readonly pathParameters: Path;
  readonly query: Query;
  /** By lower-case name. */
  readonly headers: Headers;
  readonly body: Body;
  readonly answer: {
    readonly status: number;
    readonly description: string;
    readonly schema: z.ZodType;
    /** Of an answer that is a file and no JSON. */
    readonly file?: FileKind;
  };
  /** What it may answer beside `invalid_request` and what any request may meet (`anyRequest`). */
  readonly problems: readonly ProblemCode[];
}

/** What a request of an operation looks like once it is parsed. */
export type RequestOf<Described> =
  Described extends Operation<infer Path, infer Query, infer Headers, infer Body>
    ? {
        readonly path: z.output<Path>;
        readonly query: z.output<Query>;
        readonly headers: z.output<Headers>;
        readonly body: z.output<Body>;
        /** IAM principal ARN. */
        readonly caller: string;
      }
    : never;
