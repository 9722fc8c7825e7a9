import * as z from 'zod';
import { withoutEnvelope } from '../../../functions/payment-service/http/success.ts';

/** The description of an endpoint that exists only in a test. It may answer anything. */
export const anything = {
  id: 'anything',
  summary: 'Answers what a test wants',
  answers: withoutEnvelope(z.looseObject({})),
} as const;
