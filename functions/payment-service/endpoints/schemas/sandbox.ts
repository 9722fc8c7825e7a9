import * as z from 'zod';
import { amount, time } from './fields.ts';

export const sandboxState = z
  .strictObject({
    clientId: z.string(),
    now: time.meta({ description: "The merchant's time." }),
    clockOffsetSeconds: z.int().meta({ description: 'By how much it is ahead of the real time.' }),
    rates: z
      .record(z.string(), amount)
      .meta({ description: "Rates that stand for the sandbox's own, by `<token>/<fiat>`." }),
    resets: z.int().meta({ description: 'How often everything was begun anew.' }),
  })
  .meta({ id: 'SandboxState', description: "How a merchant's sandbox is steered." });
