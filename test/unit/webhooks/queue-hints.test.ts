import { describe, expect, it } from 'vitest';
import { webhookNames } from '../../../functions/provider/webhook-names.ts';
import { queueHints } from '../../../functions/webhooks/queue-hints.ts';

const receivedAt = '2026-01-05T09:09:59.000Z';

describe('a webhook in the stream', () => {
  const image = (body: string) => ({
    dynamodb: { NewImage: { hash: { S: 'h' }, body: { S: body }, receivedAt: { S: receivedAt } } },
  });

  it.each([
    ['{"id":"d-1","reference":"r-1"}', [{ candidates: ['d-1', 'r-1'] }]],
    ['{"id":"e-1","data":{"id":"d-1"}}', [{ candidates: ['e-1', 'd-1'], ids: ['e-1', 'd-1'] }]],
    ['not json', []],
    ['{}', []],
    ['{"id":"\uffff"}', []],
  ])('%s is passed on when it names something', async (body, hints) => {
    const sent: unknown[] = [];
    const quiet = () => undefined;
    await queueHints(
      {
        webhookNames,
        hintQueue: { send: async (hints) => void sent.push(...hints) },
        log: { info: quiet, warn: quiet, alarm: quiet },
      },
      { Records: [image(body)] },
    );
    expect(sent).toEqual(hints.map((hint) => ({ webhook: 'h', receivedAt, ...hint })));
  });
});
