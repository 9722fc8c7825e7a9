import type { z } from 'zod';
import type { ProblemCode } from '../../../domain/problems.ts';

/** The type of a file answer, and its name for download. */
export interface FileKind {
  readonly contentType: string;
  readonly name: string;
}

/** The input and output of one endpoint. Requests are parsed by it, and the OpenAPI document is made from it. */
export interface Operation {
  readonly id: string;
  readonly method: 'get' | 'post';
  /** In the notation of API Gateway and OpenAPI: `/batches/{batchId}`. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** An invalid value is a 404: there is nothing at such an address. */
  readonly pathParameters: z.ZodObject;
  readonly query: z.ZodObject;
  /** By lower-case name. */
  readonly headers: z.ZodObject;
  readonly body: z.ZodObject;
  readonly answer: {
    readonly status: number;
    readonly description: string;
    readonly schema: z.ZodType;
    /** Present when the answer is a file instead of JSON. */
    readonly file?: FileKind;
  };
  /** Possible problems, besides `invalid_request`, `not_found` for a bad path, and those of any request (`anyRequest`). */
  readonly problems: readonly ProblemCode[];
}

/** The type of an operation's parsed request. */
export interface RequestOf<Described extends Operation> {
  readonly path: z.output<Described['pathParameters']>;
  readonly query: z.output<Described['query']>;
  readonly headers: z.output<Described['headers']>;
  readonly body: z.output<Described['body']>;
  /** IAM principal ARN. */
  readonly caller: string;
}
