import * as z from 'zod';
import { exampleBatch } from './text.ts';
import { visibleText } from './visible-text.ts';

const nothing = z.strictObject({});
/** Not strict: the gateway checks the parts of a path, and any headers are allowed. */
const noneRead = z.object({});
/** Operations without input, and without problems of their own. One that has some replaces that part. */
const noInput = { pathParameters: noneRead, query: nothing, headers: noneRead, body: nothing, problems: [] } as const;
export const get = { ...noInput, method: 'get' } as const;
export const post = { ...noInput, method: 'post' } as const;
/** The reason for an action, for the batch's timeline. Spaces around it are cut off after the checks, which are documented. */
export const reasonText = visibleText(z.string().max(500), /^[^\p{Cc}]*[^\p{Cc}\s][^\p{Cc}]*$/u, 'not blank')
  .trim()
  .meta({
    id: 'Why',
    description: 'The reason, for the audit trail. It is kept forever, so include no names and no account numbers.',
    example: 'Ticket 4711: the provider confirms that nothing was sent.',
  });
/** A body with an optional reason. */
export const reasonBody = z.strictObject({ reason: reasonText.exactOptional() });

export const batchId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,80}$/)
  .meta({ description: 'The id that the start returned.', example: exampleBatch });
export const batchPath = z.object({ batchId });
/** A read of a batch. */
export const getOfBatch = { ...get, pathParameters: batchPath, problems: ['batch_not_found'] } as const;

/** Reads a number written in such digits only: JavaScript also reads `0x5`, `1e1` and `1.0` as numbers. */
const numberIn = (digits: RegExp) => (text: unknown) =>
  typeof text === 'string' && digits.test(text) ? Number(text) : text;
/** A whole number of at least 1, written in digits. */
export const wholeNumber = (most: number) =>
  z.preprocess(numberIn(/^[1-9]\d{0,9}$/), z.int('a whole number, in digits only').min(1).max(most));

export const limit = wholeNumber(100).default(50).meta({ description: 'Page size; 50 when left out.', example: 50 });
/** With or without the leading zeros of events' numbers. */
export const afterSequence = z
  .preprocess(numberIn(/^\d{1,7}$/), z.int('a number of seven digits at most').min(0).max(9_999_998))
  .default(0)
  .meta({ description: 'Only events with a higher number; all when left out.', example: 3 });

/** Only the ledger can recognize its cursors. This only checks the form. */
export const cursor = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,4096}$/, 'a cursor of an answer')
  .exactOptional();
export const cursorDescription = 'The `cursor` of the page before.';
