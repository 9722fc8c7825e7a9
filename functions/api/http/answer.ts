import type { z } from 'zod';
import { given } from '../../domain/given.ts';
import type { anyRequest } from '../../domain/problems.ts';
import type { FileKind, Operation } from '../schemas/operations/operation.ts';
import type { Problem } from './problem.ts';

/** A successful answer. */
interface Answer<Body> {
  readonly kind: 'answer';
  readonly status: number;
  readonly body: Body;
  /** Relative to the request's address, as RFC 9110 allows, so it works under every stage and domain. */
  readonly location?: string;
}

/** An endpoint's answer: a body or a problem. Outages are thrown. */
export type Outcome<Body> = Answer<Body> | Problem;

/** A problem that the operation documents, or one that any request may meet. */
export type ProblemOf<Described extends Operation> = Problem<
  Described['problems'][number] | 'invalid_request' | (typeof anyRequest)[number]
>;

/** What an operation may answer: the body of its schema, or a documented problem. */
export type OutcomeOf<Described extends Operation> =
  | Answer<z.output<Described['answer']['schema']>>
  | ProblemOf<Described>;

/** A file to download. */
export interface FileAnswer {
  readonly kind: 'file';
  readonly bytes: Buffer;
  readonly file: FileKind;
}

/** @param bytes the file, whole */
export const fileAnswer = (bytes: Buffer, file: FileKind): FileAnswer => ({ kind: 'file', bytes, file });

/** A successful answer. `location` is the address of what the request made, as in `Answer`. */
export const answer = <Body>(status: number, body: Body, location?: string): Answer<Body> => ({
  kind: 'answer',
  status,
  body,
  ...given({ location }),
});
