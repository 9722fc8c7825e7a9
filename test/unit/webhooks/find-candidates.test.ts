import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { webhookNames } from '../../../functions/provider/webhook-names.ts';
import { findCandidates } from '../../../functions/webhooks/find-candidates.ts';

describe('candidates', () => {
  it.each([
    ['an id too long', JSON.stringify({ id: 'x'.repeat(129) }), []],
    ['an id that is no text', '{"id":7,"reference":null,"orderId":{"id":"a"}}', ['a']],
    ['five levels', '{"a":{"a":{"a":{"a":{"id":"deep"}}}}}', ['deep']],
    ['six levels', '{"a":{"a":{"a":{"a":{"a":{"id":"deeper"}}}}}}', []],
    ['the outermost first', '{"data":{"id":"b"},"id":"a"}', ['a', 'b']],
    ['one after a byte order mark', '\ufeff{"id":"a"}', ['a']],
    ['the same once', '{"data":{"id":"a"},"id":"a"}', ['a']],
  ])('%s', (_name, body, ids) => {
    expect(findCandidates(webhookNames, body)).toEqual({ candidates: ids, ids });
  });

  it.each([
    ['{"id":"a","reference":"a"}', ['a']],
    ['{"id":"evt","data":{"disbursementId":"d","reference":"r"}}', ['evt', 'd', 'r']],
    ['[{"id":"d-1","reference":"r-1"},{"id":"d-2"}]', ['d-1', 'r-1', 'd-2']],
  ])('contain no ids to look up when there is a reference: %s', (body, candidates) => {
    expect(findCandidates(webhookNames, body)).toEqual({ candidates });
  });

  it('have only the provider’s field names', () => {
    const names = { references: ['key'], ids: ['number'] };
    const event = { id: 'a', reference: 'b', payout: { number: 'c' } };
    expect(findCandidates(names, JSON.stringify(event))).toEqual({ candidates: ['c'], ids: ['c'] });
    expect(findCandidates(names, JSON.stringify({ ...event, key: 'd' }))).toEqual({ candidates: ['d', 'c'] });
  });

  it('contain at most three ids to look up', () => {
    const all = ['a', 'b', 'c', 'd'];
    expect(findCandidates(webhookNames, JSON.stringify(all.map((id) => ({ id }))))?.ids).toEqual(['a', 'b', 'c']);
  });

  it('are never more than ten, for any body', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ id: fc.string(), reference: fc.string() }), { maxLength: 40 }), (items) => {
        const candidates = findCandidates(webhookNames, JSON.stringify({ items }))?.candidates ?? [];
        expect(candidates.length).toBeLessThanOrEqual(10);
        expect(candidates.every((text) => text.length > 0 && text.length <= 128)).toBe(true);
      }),
    );
  });
});
