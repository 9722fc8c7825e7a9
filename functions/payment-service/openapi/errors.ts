import * as z from 'zod';
import type { ErrorStatus } from '../http/answers.ts';
import { errorName, errorStatuses } from '../http/answers.ts';
import type { Json } from './json-schemas.ts';

export const errorBody = z
  .strictObject({
    statusCode: z.int().meta({ description: 'Equals the HTTP status.' }),
    error: z.string(),
    message: z.string(),
  })
  .meta({ id: 'Error', description: 'The envelope of every error.' });

const descriptions: Readonly<Record<ErrorStatus, string>> = {
  400: 'The request is invalid; the message says why. Nothing was changed.',
  401: 'The credentials are wrong. The answer does not say which part.',
  404: 'Not found.',
  405: 'The path does not have this method. The header `Allow` lists its methods.',
  409: 'A concurrent request is still undecided: try again later.',
  410: 'The endpoint was removed. The message names its replacement.',
  429: 'Too many requests: slow down.',
  500: 'A bug or an outage.',
  503: 'Too many concurrent requests. Nothing was changed: try again.',
};

const nameOf = (status: ErrorStatus): string => errorName(status).replaceAll(' ', '');

/** Every error of the service, as a component to which operations refer. */
export const errorComponents = (): Json =>
  Object.fromEntries(
    errorStatuses.map((status) => [
      nameOf(status),
      {
        description: descriptions[status],
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  );

/** The responses for these statuses, ascending, as objects order their numeric keys. */
export const errorResponses = (statuses: readonly ErrorStatus[]): Json =>
  Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/${nameOf(status)}` }]));
