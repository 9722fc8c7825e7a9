import * as z from 'zod';
import { faults } from '../../domain/sandbox/faults.ts';
import type { SandboxState } from '../../domain/sandbox/sandbox.ts';
import { wireNumber } from '../../http/wire-json.ts';
import { amount } from '../answer-fields.ts';

export const faultsSchema = z
  .strictObject({
    faults: z.array(
      z.strictObject({
        endpoint: z.string(),
        fault: z.enum(faults),
        probability: amount.optional(),
        next: z.int().optional().meta({ description: 'How many strikes are left.' }),
        seconds: z.int().optional(),
        injected: z.int().meta({ description: 'How often it has struck since it was set.' }),
      }),
    ),
    injected: z.partialRecord(z.enum(faults), z.int()).meta({
      description: 'How often each fault has struck since the last reset, including those of magic references.',
    }),
  })
  .meta({ id: 'Faults', description: 'The faults that a merchant has set in its sandbox.' });

/** The faults of a merchant's sandbox, and how often each has struck. */
export const faultsRecord = ({ faults, injected }: SandboxState) => ({
  faults: faults.map(({ probability, left, ...rest }) => ({
    ...rest,
    ...(probability === undefined ? { next: left } : { probability: wireNumber(probability) }),
  })),
  injected,
});
