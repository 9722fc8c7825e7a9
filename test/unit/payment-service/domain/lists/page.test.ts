import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  pageEnvelope,
  sequenceWindow,
  sourcesOfPage,
} from '../../../../../functions/payment-service/domain/lists/page.ts';

it.each([
  ['no records', 1, 10, 0, { totalPages: 1, hasPrevPage: false, hasNextPage: false, prevPage: null, nextPage: null }],
  ['one page', 1, 10, 10, { totalPages: 1, hasNextPage: false, pagingCounter: 1, offset: 0 }],
  ['the first of several', 1, 10, 11, { totalPages: 2, hasNextPage: true, nextPage: 2, prevPage: null }],
  [
    'the last of several',
    2,
    10,
    11,
    { hasPrevPage: true, prevPage: 1, hasNextPage: false, pagingCounter: 11, offset: 10 },
  ],
  ['a page past the end', 5, 10, 11, { hasPrevPage: true, prevPage: 4, hasNextPage: false, nextPage: null }],
])('the page envelope of %s', (_, page, limit, total, expected) => {
  expect(pageEnvelope({ page, limit }, total)).toMatchObject({ page, limit, totalDocs: total, ...expected });
});

const listed = (total: number, limit: number, descending: boolean) =>
  Array.from({ length: Math.ceil(total / limit) + 1 }, (_, index) => {
    const { first, last } = sequenceWindow({ page: index + 1, limit }, total, descending);
    const numbers = Array.from({ length: Math.max(0, last - first + 1) }, (_unused, step) => first + step);
    return descending ? numbers.toReversed() : numbers;
  }).flat();

it('pages show every record once, in order, in both directions', () => {
  fc.assert(
    fc.property(fc.nat(300), fc.integer({ min: 1, max: 100 }), (total, limit) => {
      const all = Array.from({ length: total }, (_, index) => index + 1);
      expect(listed(total, limit, false)).toEqual(all);
      expect(listed(total, limit, true)).toEqual(all.toReversed());
    }),
  );
});

it('a page over groups of any size reads only the groups it touches, and starts at the right record', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(9)),
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 8 }),
      (sizes, limit, page) => {
        const groups = sizes.map((count, group) => ({
          count,
          own: Array.from({ length: count }, (_, index) => `${group}.${index}`),
        }));
        const window = { first: (page - 1) * limit + 1, last: page * limit };
        const { touched, skip } = sourcesOfPage(window, groups);
        const all = groups.flatMap(({ own }) => own);
        expect(touched.flatMap(({ own }) => own).slice(skip, skip + limit)).toEqual(
          all.slice((page - 1) * limit, page * limit),
        );
        expect(touched.length).toBeLessThanOrEqual(limit);
      },
    ),
  );
});
