import { describe, expect, it } from 'vitest';
import type { Reapplied } from '../../../functions/webhooks/reapply-webhooks.ts';
import { reapply } from '../../../functions/webhooks/reapply-webhooks.ts';

const hint = (n: number): string =>
  JSON.stringify({ webhook: `hash-${n}`, receivedAt: '2026-01-05T09:10:00.000Z', candidates: [`d-${n}`] });
const hints = (count: number): readonly string[] => Array.from({ length: count }, (_, n) => hint(n + 1));

type Breaks = 'before it is sent' | 'between sending and deleting';

/**
 * The two queues. A message that was taken and not returned is hidden until `pass` advances time. The putBack named by `broken`
 * fails once.
 */
const world = (start: readonly string[], broken?: { readonly nth: number; readonly breaks: Breaks }) => {
  let aside = start.map((text, index) => ({ text, receiptHandle: `${index}`, hidden: false }));
  const queue: string[] = [];
  const lines: object[] = [];
  let puts = 0;
  const quiet = () => undefined;
  const dependencies = {
    deadLetters: {
      count: async () => aside.filter(({ hidden }) => !hidden).length,
      take: async () => {
        const taken = aside.filter(({ hidden }) => !hidden).slice(0, 10);
        for (const one of taken) one.hidden = true;
        return taken;
      },
      putBack: async ({ text, receiptHandle }: { readonly text: string; readonly receiptHandle: string }) => {
        puts += 1;
        const breaks = puts === broken?.nth ? broken.breaks : undefined;
        if (breaks === 'before it is sent') throw new Error('the queue is out');
        queue.push(text);
        if (breaks === 'between sending and deleting') throw new Error('the queue is out');
        aside = aside.filter((one) => one.receiptHandle !== receiptHandle);
      },
    },
    log: { info: (code: string, fields?: object) => void lines.push({ code, ...fields }), warn: quiet, alarm: quiet },
  };
  const pass = () => {
    for (const one of aside) one.hidden = false;
  };
  return { dependencies, queue, lines, pass, aside: () => aside.map(({ text }) => text) };
};

const unreadable = ['', 'null', 'not json', '{"webhook":"x"}', '{"webhook":"x","receivedAt":"today","candidates":[]}'];

describe('hints in the dead-letter queue', () => {
  it.each<[string, readonly string[], Reapplied, number]>([
    ['are none', [], { putBack: 0, kept: 0, left: 0 }, 0],
    ['are put back', hints(3), { putBack: 3, kept: 0, left: 0 }, 3],
    ['are put back when they are more than one answer of the queue', hints(25), { putBack: 25, kept: 0, left: 0 }, 25],
    ['are put back to the last at the limit', hints(1000), { putBack: 1000, kept: 0, left: 0 }, 1000],
    ['are counted when they exceed the limit', hints(1013), { putBack: 1000, kept: 0, left: 13 }, 1000],
    ['stay, and are counted, when they are not hints', unreadable, { putBack: 0, kept: 5, left: 0 }, 0],
    ['are put back from among invalid messages', [...unreadable, ...hints(8)], { putBack: 8, kept: 5, left: 0 }, 8],
    ['are put back once when they are the same', [hint(1), hint(1)], { putBack: 1, kept: 1, left: 0 }, 1],
  ])('%s', async (_name, start, counts, queued) => {
    const { dependencies, queue, aside, lines } = world(start);
    expect(await reapply(dependencies)).toEqual(counts);
    expect(queue).toHaveLength(queued);
    expect([...queue, ...aside()].toSorted()).toEqual([...start].toSorted());
    expect(lines).toEqual([{ code: 'webhook.reapplied', ...counts }]);
  });

  it.each<[Breaks, number]>([
    ['before it is sent', 12],
    ['between sending and deleting', 13],
  ])('are not lost when the command is interrupted %s', async (breaks, sent) => {
    const start = hints(25);
    const { dependencies, queue, aside, pass } = world(start, { nth: 13, breaks });
    await expect(reapply(dependencies)).rejects.toThrow('the queue is out');
    expect(queue).toEqual(start.slice(0, sent));
    expect(aside()).toEqual(start.slice(12));
    pass();
    expect(await reapply(dependencies)).toEqual({ putBack: 13, kept: 0, left: 0 });
    expect(new Set(queue)).toEqual(new Set(start));
    expect(aside()).toEqual([]);
  });

  it('are not put back twice by one command when they fail again immediately', async () => {
    const { dependencies, queue } = world([]);
    const back = { text: hint(1), receiptHandle: 'r' };
    const answers = [[back], [back], []];
    const counts = await reapply({
      ...dependencies,
      deadLetters: { ...dependencies.deadLetters, take: async () => answers.shift() ?? [] },
    });
    expect(counts).toEqual({ putBack: 1, kept: 1, left: 0 });
    expect(queue).toEqual([hint(1)]);
  });
});
