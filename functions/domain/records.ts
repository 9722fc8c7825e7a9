import * as z from 'zod';
import { once } from './once.ts';

/**
 * The schema of a record that the ledger stores. Types derive from it, so that a field has one home. It is made when it is first
 * needed, and what it reads is read-only.
 */
export const record = <Shape extends z.ZodRawShape>(shape: () => Shape) => once(() => z.object(shape()).readonly());

export const counter = once(() => z.int().nonnegative());

/** An amount as text: an exact decimal, never a number. */
export const decimalText = once(() => z.string().regex(/^-?\d+(\.\d+)?$/));
