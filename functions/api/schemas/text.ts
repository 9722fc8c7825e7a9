import * as z from 'zod';
import { given } from '../../domain/given.ts';

/** The schema of a text, with its description and example for the OpenAPI document. */
export const text = (description: string, example?: string) => z.string().meta({ description, ...given({ example }) });

export const optionalText = (description: string, example?: string) =>
  z
    .string()
    .exactOptional()
    .meta({ description, ...given({ example }) });

/** The batch and the hash of examples. */
export const exampleBatch = 'b-01jgfjjz00e5x7b6nrw2m8k4vd';
export const exampleHash = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

/** An id of AWS or of the provider, as it is. At most this many characters. */
export const printable = (most: number) =>
  z.string().regex(new RegExp(`^[!-~]{1,${most}}$`), `1 to ${most} printable ASCII characters, no spaces`);

export const time = text('ISO 8601, UTC.', '2026-01-05T09:00:00.000Z');
