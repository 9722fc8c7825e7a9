import * as z from 'zod';
import type { ErrorStatus } from '../http/answers.ts';
import { errorNames } from '../http/answers.ts';
import type { Json } from './json-schemas.ts';

export const errorBody = z
  .strictObject({
    statusCode: z.int().meta({ description: 'Equals the HTTP status.' }),
    error: z.string(),
    message: z.string(),
  })
  .meta({ id: 'Error', description: 'The envelope of every error.' });

const descriptions: Readonly<Record<ErrorStatus, string>> = {
  400: 'The request cannot be taken; the message says what is wrong with it. Nothing was changed.',
  401: 'The credentials do not hold; which part is not told.',
  404: 'There is no such thing.',
  405: 'The path has other methods, which the header `Allow` names.',
  409: 'Another request that is not decided yet is in the way: try again later.',
  410: 'The endpoint was removed; the message names what to call instead.',
  429: 'Too many requests: slow down.',
  500: 'A bug or an outage.',
  503: 'In use by many at once: nothing was changed, try again.',
};

const nameOf = (status: ErrorStatus): string => errorNames[status].replaceAll(' ', '');

const isErrorStatus = (status: number): status is ErrorStatus => status in errorNames;

/** Every error of the service as a component that operations refer to. */
export const errorComponents = (): Json =>
  Object.fromEntries(
    Object.keys(errorNames)
      .map(Number)
      .filter(isErrorStatus)
      .map((status) => [
        nameOf(status),
        {
          description: descriptions[status],
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
        },
      ]),
  );

/** The responses of these statuses, in their order and each once. */
export const errorResponses = (statuses: readonly ErrorStatus[]): Json =>
  Object.fromEntries(
    [...new Set(statuses)]
      .toSorted((a, b) => a - b)
      .map((status) => [`${status}`, { $ref: `#/components/responses/${nameOf(status)}` }]),
  );
