import * as z from 'zod';
import { given } from '../../domain/given.ts';

/** A text with its words in the document. */
export const text = (description: string, example?: string) => z.string().meta({ description, ...given({ example }) });

export const optionalText = (description: string, example?: string) =>
  z
    .string()
    .exactOptional()
    .meta({ description, ...given({ example }) });

export const time = text('ISO 8601, UTC.', '2026-01-05T09:00:00.000Z');
