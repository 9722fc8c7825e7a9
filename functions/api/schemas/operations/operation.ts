import type { z } from 'zod';
import type { ProblemCode } from '../problem.ts';

/** The type of a file answer, and its name for download. */
export interface FileKind {
  readonly contentType: string;
  readonly name: string;
}

/** The input and output of one endpoint. Requests are parsed by it, and the OpenAPI document is made from it. */
export interface Operation<
  Path extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Headers extends z.ZodObject = z.ZodObject,
  Body extends z.ZodObject = z.ZodObject,
> {
  readonly id: string;
  readonly method: 'get' | 'post';
  /** In the notation of API Gateway and OpenAPI: `/batches/{batchId}`. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** An invalid value is a 404: there is nothing at such an address. */
  readonly pathParameters: Path;
  readonly query: Query;
  /** By lower-case name. */
  readonly headers: Headers;
  readonly body: Body;
  readonly answer: {
    readonly status: number;
    readonly description: string;
    readonly schema: z.ZodType;
    /** Present when the answer is a file instead of JSON. */
    readonly file?: FileKind;
  };
  /** Possible problems, besides `invalid_request` and those of any request (`anyRequest`). */
  readonly problems: readonly ProblemCode[];
}

/** The type of an operation's parsed request. */
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
