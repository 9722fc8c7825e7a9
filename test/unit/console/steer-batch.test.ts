import { describe, expect, it } from 'vitest';
import { steerBatch } from '../../../functions/console/steer-batch.ts';
import { consoleCaller } from '../../../functions/domain/batch/caller.ts';
import type { Steered } from '../../../functions/ports/operator-functions.ts';
import { keptLog } from './draw-scene.ts';
import { at, consoleArn } from './example-views.ts';

const asking = (outcome: Steered | Error) => {
  const asked: string[] = [];
  const { log, logged } = keptLog();
  const steer = (event: unknown) =>
    steerBatch(
      {
        steer: async (action, batchId, by) => {
          asked.push(`${action} ${batchId} ${by}`);
          if (outcome instanceof Error) throw outcome;
          return outcome;
        },
        clock: () => Date.parse(at),
        log,
      },
      event,
    );
  return { asked, logged, steer };
};

const paused: Steered = { kind: 'done', batchStatus: 'paused' };
const click = (action: string) => ({ action, batchId: 'b-1', console: consoleArn });

describe('the function behind the buttons', () => {
  it.each([
    ['pause', 'b-1 is paused now.'],
    ['cancel', 'b-1: nothing more is sent.'],
  ])('requests %s from the API, in the name of the dashboard', async (action, outcome) => {
    const { asked, steer } = asking(paused);
    const shown = await steer(click(action));
    expect(asked).toEqual([`${action} b-1 ${consoleCaller}`]);
    expect(shown).toContain(outcome);
    expect(shown).toContain(`endpoint="${consoleArn}"`);
  });

  it.each([
    ...['approve', 'reject', 'resume', 'settle', 'start', 'PAUSE', ''].map(click),
    { ...click('pause'), reason: 'x' },
    { ...click('pause'), batchId: 'b-1/approve' },
    { ...click('pause'), console: 'arn:aws:lambda:us-east-1:1:function:x"><script>' },
    { action: 'pause', batchId: 'b-1' },
    {},
    null,
  ])('rejects %j without a request', async (event) => {
    const { asked, steer } = asking(paused);
    const shown = await steer(event);
    expect(shown).toContain('This cannot be done here');
    expect(shown).not.toContain('<script');
    expect(asked).toEqual([]);
  });

  it('shows the API’s reason for a refusal', async () => {
    const { steer } = asking({ kind: 'refused', type: 'urn:x', title: 'Not now', detail: 'The batch is <completed>.' });
    const shown = await steer(click('pause'));
    expect(shown).toContain('Not now');
    expect(shown).toContain('The batch is &lt;completed&gt;.');
  });

  it('reports an unanswered request as unknown', async () => {
    const { logged, steer } = asking(new RangeError('secret'));
    const shown = await steer(click('cancel'));
    expect(shown).toContain('It may have been done.');
    expect(shown).not.toContain('secret');
    expect(logged).toEqual(['console.failed RangeError']);
  });

  it('says what it is for', async () => {
    expect(await asking(paused).steer({ describe: true })).toMatch(/^## Pause/);
  });
});
