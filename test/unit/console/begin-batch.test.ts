import { describe, expect, it } from 'vitest';
import { beginBatch } from '../../../functions/console/begin-batch.ts';
import { describeCode } from '../../../functions/domain/batch/batch-status-text.ts';
import { consoleCaller } from '../../../functions/domain/batch/caller.ts';
import { problemType } from '../../../functions/domain/problems.ts';
import type { BatchToBegin, Begun } from '../../../functions/ports/operator-functions.ts';
import { keptLog } from './draw-scene.ts';
import { at, beginningArn, consoleArn } from './example-views.ts';

const begun: Begun = { kind: 'begun', batchId: 'b-1', batchStatus: 'accepted' };

const asking = (outcome: Begun | Error = begun) => {
  const asked: (BatchToBegin & { readonly by: string })[] = [];
  const { log, logged } = keptLog();
  const begin = (event: unknown) =>
    beginBatch(
      {
        begin: async (batch, by) => {
          asked.push({ ...batch, by });
          if (outcome instanceof Error) throw outcome;
          return outcome;
        },
        clock: () => Date.parse(at),
        log,
      },
      event,
      beginningArn,
    );
  return { asked, logged, begin };
};

const click = (mode: string, changes: object = {}) => ({
  mode,
  file: 'uploads/salaries.xlsx',
  versionId: 'v-1',
  drawnAt: at,
  console: consoleArn,
  ...changes,
});
const chosen = (invalidRows: unknown) => ({ widgetContext: { forms: { all: { invalidRows } } } });

describe('the function behind the buttons that begin batches', () => {
  it('checks the drawn version in the name of the dashboard', async () => {
    const { asked, begin } = asking();
    const corrects = `b-${'0'.repeat(26)}`;
    const shown = await begin(click('preview', { corrects }));
    expect(asked).toEqual([
      {
        mode: 'preview',
        file: 'uploads/salaries.xlsx',
        versionId: 'v-1',
        invalidRows: 'reject',
        corrects,
        idempotencyKey: expect.stringMatching(/^console-[0-9a-f]{64}$/),
        by: consoleCaller,
      },
    ]);
    expect(shown).toContain('The file is being checked');
    expect(shown).toContain(`endpoint="${consoleArn}"`);
  });

  it.each([{}, chosen('skip'), chosen('never'), { invalidRows: 'skip' }])(
    'requests a payment with approval, whatever the input: %j',
    async (changes) => {
      const { asked, begin } = asking();
      expect(await begin(click('disburse', changes))).toContain('Someone listed in the setting approvers approves it');
      expect(asked).toMatchObject([{ mode: 'disburse', approval: 'required', by: consoleCaller }]);
    },
  );

  it('starts with the button’s caution and time', async () => {
    const { asked, begin } = asking();
    const careful = { startAt: '2026-02-01T09:00:00+07:00', canary: 5, pauseAbove: 0 };
    await begin(click('disburse', careful));
    expect(asked).toMatchObject([careful]);
  });

  it.each([
    ['disburse', 'pending_approval'],
    ['disburse', 'completed'],
    ['disburse', 'canceled'],
    ['preview', 'previewed'],
    ['preview', 'validation_failed'],
  ] as const)('shows the status of a batch that was started before (%s, %s)', async (mode, batchStatus) => {
    const { begin } = asking({ ...begun, batchStatus });
    const shown = await begin(click(mode));
    expect(shown).toContain('This was started before');
    expect(shown).toContain(`b-1. It is ${describeCode(batchStatus)} now.`);
    expect(shown).not.toMatch(/is being checked|is asked for/);
  });

  it.each([
    ['the field', chosen('skip'), 'skip'],
    ['the field', chosen('reject'), 'reject'],
    ['the default, when the field says something else', chosen(['skip']), 'reject'],
    ['the button, which has the last word', { ...chosen('skip'), invalidRows: 'reject' }, 'reject'],
  ])('takes the handling of bad rows from %s', async (_, changes, invalidRows) => {
    const { asked, begin } = asking();
    await begin(click('disburse', changes));
    expect(asked).toMatchObject([{ invalidRows }]);
  });

  it('uses one key per button and drawing', async () => {
    const { asked, begin } = asking();
    const clicks = [
      click('preview'),
      click('preview', chosen('skip')),
      click('disburse'),
      click('preview', { versionId: 'v-2' }),
      click('preview', { file: 'uploads/bonus.xlsx' }),
      click('preview', { drawnAt: '2026-01-05T09:00:01.000Z' }),
    ];
    for (const event of clicks) await begin(event);
    const keys = asked.map(({ idempotencyKey }) => idempotencyKey);
    expect(keys[1]).toBe(keys[0]);
    expect(new Set(keys).size).toBe(clicks.length - 1);
  });

  it.each([
    click('disburse', { approval: 'never' }),
    click('disburse', { allowSameFile: true }),
    click('approve'),
    click('disburse', { file: 'batches/b-1/plan-1/errors.csv' }),
    click('disburse', { versionId: 'a b' }),
    click('disburse', { versionId: undefined }),
    click('disburse', { corrects: 'b-1' }),
    click('disburse', { startAt: 'soon' }),
    click('disburse', { canary: 0 }),
    click('disburse', { pauseAbove: 101 }),
    click('disburse', { drawnAt: 'now' }),
    click('disburse', { console: 'arn:aws:lambda:us-east-1:1:function:x"><script>' }),
    { action: 'approve', batchId: 'b-1' },
    {},
    null,
  ])('rejects %j without a request', async (event) => {
    const { asked, begin } = asking();
    const shown = await begin(event);
    expect(shown).toContain('This cannot be done here');
    expect(shown).not.toContain('<script');
    expect(asked).toEqual([]);
  });

  it('shows the API’s reason, and links to the batch that blocks it', async () => {
    const refused = {
      kind: 'refused',
      type: 'urn:x',
      title: 'Paid before',
      detail: '<b-7> holds it.',
      batchId: 'b-7',
    } as const;
    const { begin } = asking(refused);
    const shown = await begin(click('disburse'));
    expect(shown).toContain('Paid before');
    expect(shown).toContain('&lt;b-7&gt; holds it.');
    expect(shown).toContain('&quot;batchId&quot;:&quot;b-7&quot;');
  });

  it('opens the batch of a payment that was already requested, and offers no second one', async () => {
    const detail = 'Send allowSameFile to pay it again.';
    const { begin } = asking({ kind: 'refused', type: problemType('same_file'), title: 'x', detail, batchId: 'b-7' });
    const shown = await begin(click('disburse'));
    expect(shown).toContain('Payment of this file was asked for already');
    expect(shown).toContain('&quot;batchId&quot;:&quot;b-7&quot;');
    expect(shown).toContain('an operator of the API decides');
    expect(shown).not.toContain('allowSameFile');
  });

  it('offers to repeat the request for the same batch when it got no answer', async () => {
    const { asked, logged, begin } = asking(new RangeError('secret'));
    const shown = await begin(click('disburse', chosen('skip')));
    expect(shown).not.toContain('secret');
    expect(logged).toEqual(['console.failed RangeError']);
    const [, again = ''] = /confirmation="[^"]+">([^<]+)</.exec(shown) ?? [];
    await begin(JSON.parse(again.replaceAll('&quot;', '"')));
    expect(asked[1]).toEqual(asked[0]);
  });

  it.each(['unavailable', 'internal_error'] as const)(
    'offers to repeat the request for the same batch when the API may have started it (%s)',
    async (code) => {
      const detail = 'Send the same request again with the same Idempotency-Key.';
      const { asked, begin } = asking({ kind: 'refused', type: problemType(code), title: 'x', detail, batchId: 'b-7' });
      const shown = await begin(click('disburse', chosen('skip')));
      expect(shown).not.toContain('Idempotency-Key');
      const [, again = ''] = /confirmation="[^"]+">([^<]+)</.exec(shown) ?? [];
      await begin(JSON.parse(again.replaceAll('&quot;', '"')));
      expect(asked[1]).toEqual(asked[0]);
    },
  );

  it('says what it is for', async () => {
    expect(await asking().begin({ describe: true })).toMatch(/^## Check/);
  });
});
