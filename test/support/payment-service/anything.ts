import * as z from 'zod';
import { withoutEnvelope } from '../../../functions/payment-service/http/answer-schemas.ts';

/** The description of an endpoint that a test makes up, whatever it answers. */
export const anything = {
  id: 'anything',
  summary: 'Answers what a test wants',
  answers: withoutEnvelope(z.looseObject({})),
} as const;
