import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findCandidates } from '../../../functions/webhooks/find-candidates.ts';

describe('candidates', () => {
  it.each([
    ['an id too long', JSON.stringify({ id: 'x'.repeat(129) }), []],
    ['an id that is no text', '{"id":7,"reference":null,"orderId":{"id":"a"}}', ['a']],
    ['five levels', '{"a":{"a":{"a":{"a":{"id":"deep"}}}}}', ['deep']],
    ['six levels', '{"a":{"a":{"a":{"a":{"a":{"id":"deeper"}}}}}}', []],
    ['the outermost first', '{"data":{"id":"b"},"id":"a"}', ['a', 'b']],
    ['the same once', '{"id":"a","reference":"a"}', ['a']],
  ])('%s', (_name, body, expected) => {
    expect(findCandidates(body)).toEqual(expected);
  });

  it('are never more than ten, whatever the body', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ id: fc.string(), reference: fc.string() }), { maxLength: 40 }), (items) => {
        const candidates = findCandidates(JSON.stringify({ items })) ?? [];
        expect(candidates.length).toBeLessThanOrEqual(10);
        expect(candidates.every((text) => text.length > 0 && text.length <= 128)).toBe(true);
      }),
    );
  });
});
