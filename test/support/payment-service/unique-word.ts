import { randomBytes } from 'node:crypto';

/** Twelve hex digits for names and references that nothing else uses. */
export const uniqueWord = (): string => randomBytes(6).toString('hex');
