import * as z from 'zod';

export const time = z.string().meta({ description: 'ISO 8601, UTC.', example: '2026-01-05T09:00:00.000Z' });
