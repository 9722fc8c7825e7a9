import * as z from 'zod';
import { Refused } from '../../domain/refused.ts';
import { merchantTime } from '../../domain/sandbox/sandbox.ts';
import { bodyEndpoint } from '../../http/endpoint.ts';
import { enveloped } from '../../http/success.ts';
import { wireInteger } from '../../http/wire-json.ts';
import { wakeUnfinished } from '../../settlement/wake-unfinished.ts';
import { changeSandbox } from '../../store/sandbox/sandbox-state.ts';
import { sandboxBusy, sandboxRecord, sandboxSchema } from './sandbox-record.ts';

/** Ten years. Much further away, dates no longer have the form that records are sorted by. */
const furthestSeconds = 315_360_000;

const body = z
  .object({
    /** Negative turns the clock back. */
    advanceSeconds: wireInteger(-furthestSeconds, furthestSeconds).optional(),
    setTo: z.iso.datetime({ offset: true, error: 'must be an ISO 8601 time' }).optional(),
  })
  .meta({ oneOf: [{ required: ['setTo'] }, { required: ['advanceSeconds'] }] });

/** POST /sandbox/clock: moves the merchant's clock, and wakes the worker for everything that is due by then. */
export const moveSandboxClock = bodyEndpoint({
  route: 'POST /sandbox/clock',
  access: 'authorization',
  summary: "Move the merchant's clock",
  answers: enveloped('Clock moved', sandboxSchema),
  refuses: [503],
  body,
  work: async (context, { account }, { advanceSeconds, setTo }) => {
    if ((advanceSeconds === undefined) === (setTo === undefined))
      return new Refused('exactly one of advanceSeconds and setTo is required');
    const real = context.realNow();
    const state = await changeSandbox(context, account.clientId, (current) => {
      const clockOffset =
        setTo === undefined ? current.clockOffset + (advanceSeconds ?? 0) * 1000 : Date.parse(setTo) - real.getTime();
      const isTooFar = Math.abs(clockOffset) > furthestSeconds * 1000;
      return isTooFar ? new Refused('more than ten years from the real time') : { clockOffset };
    });
    if (state === 'busy') return sandboxBusy();
    if (state instanceof Refused) return state;
    await wakeUnfinished(context);
    return sandboxRecord(account, state, merchantTime(state, real));
  },
});
