import { describeCode } from '../domain/batch/batch-status-text.ts';
import { consoleCaller } from '../domain/batch/caller.ts';
import { nameOfError } from '../domain/errors.ts';
import type { Needs } from '../ports/needs.ts';
import type { Steer } from '../ports/operator-functions.ts';
import { bind, steer } from '../runtime.ts';
import { describeSteering } from './describe.ts';
import { Drawing } from './markup/drawing.ts';
import type { Html } from './markup/html.ts';
import { notice } from './markup/widget.ts';
import type { SteeringParams } from './request.ts';
import { readCall, steeringParams } from './request.ts';

type SteerBatchDependencies = Needs<{ log: 'info' | 'warn' }, 'clock'> & { readonly steer: Steer };

const drawSteered = async (
  { steer, log }: SteerBatchDependencies,
  drawing: Drawing,
  { action, batchId }: SteeringParams,
): Promise<Html> => {
  const back = drawing.opens('Show the batch', { view: 'batch', batchId }, { look: 'main' });
  try {
    const steered = await steer(action, batchId, consoleCaller);
    if (steered.kind === 'refused') return notice(drawing, 'bad', steered.title, steered.detail, back);
    log.info('console.steered', { action, batchId, batchStatus: steered.batchStatus });
    const [title, text] =
      action === 'pause'
        ? ['The batch is paused', `${batchId} is ${describeCode(steered.batchStatus)} now.`]
        : [
            'The batch is being canceled',
            `${batchId}: nothing more is sent. It waits for payouts sent before, but not for those that are quarantined or held for long.`,
          ];
    return notice(drawing, 'plain', title, text, back);
  } catch (error) {
    log.warn('console.failed', { action, error: nameOfError(error) });
    const text = 'It may have been done. Look at the batch, and try again: doing it twice is safe.';
    return notice(drawing, 'bad', 'Something went wrong', text, back);
  }
};

/**
 * Pauses or cancels a batch for a dashboard button, with the operator API's own functions. Refuses anything else, and
 * its role could not do it: letting money move needs an identified person.
 */
export const steerBatch = async (dependencies: SteerBatchDependencies, received: unknown): Promise<string> => {
  const { describes, context, params } = readCall(received);
  if (describes) return describeSteering;
  const asked = steeringParams.safeParse(params);
  const console = asked.success ? asked.data.console : '';
  const drawing = new Drawing({ ...context, console, nowMs: dependencies.clock() });
  if (asked.success) return (await drawSteered(dependencies, drawing, asked.data)).source;
  const text =
    'A dashboard can pause and cancel batches. It does not know who clicks, so it cannot approve, reject, resume or settle: ' +
    'send those to the operator API, signed by a person.';
  return notice(drawing, 'bad', 'This cannot be done here', text).source;
};

export const handler = bind(steerBatch, { steer });
