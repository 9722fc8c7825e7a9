import * as z from 'zod';
import { largestBatch } from '../settings.ts';

/** The items of one POST. Too few or too many are refused together with what else is wrong with the whole. */
export const batchItems = <Item extends z.ZodType>(item: Item) =>
  z.array(item, { error: 'must be a list' }).meta({ minItems: 1, maxItems: largestBatch });
