import * as z from 'zod';
import { once } from '../../domain/once.ts';

/** An amount as the table stores it: an exact decimal in a string, never a number. */
export const decimalText = once(() => z.string().regex(/^-?\d+(\.\d+)?$/));
