import { describe, expect, it } from 'vitest';
import { openIndependent } from '../independent-provider/open.ts';
import { fileOf, payABatch } from '../support/scenes/pay-a-batch.ts';

const rows = 240;
const worlds = [0, 0.1, 0.3].flatMap((faults) => [0, 3000].map((lag) => ({ rows, faults, lag, seed: 'one' })));

/** Why a row may need a person: the provider holds it, or never made it and promises no unique references. */
const why = {
  held: /^row-\d+ on_hold provider_need_check: need_check$/,
  absent: /^row-\d+ quarantined absent_but_not_repeatable: nothing$/,
};

const kinds = [
  'answer cut',
  'gateway error',
  'processed, no answer',
  'processed, then an error',
  'timeout, never processed',
  'timeout, processed late',
  'too many requests',
];

describe.concurrent('a provider written only from the document', () => {
  it.each(worlds)(
    'pays nothing twice and loses nothing, with faults $faults and lists $lag ms behind',
    async (world) => {
      const { status, twice, lost, resumes, leftToPerson, struck } = await payABatch(
        world,
        fileOf(rows),
        openIndependent(world),
      );
      expect({ status, twice, lost, resumes }).toEqual({
        status: 'partially_completed',
        ...{ twice: [], lost: [], resumes: [] },
      });
      const unexplained = leftToPerson.filter(
        (row) => !why.held.test(row) && !(world.faults > 0 && why.absent.test(row)),
      );
      expect(unexplained).toEqual([]);
      // An unanswered call that made nothing leaves its ten crypto rows to a person. Few calls are lost this way.
      expect(leftToPerson.length).toBeLessThanOrEqual(world.faults === 0 ? 3 : 40);
      if (world.faults === 0) expect(struck.size).toBe(0);
      if (world.faults === 0.3) expect([...struck.keys()].toSorted()).toEqual(kinds);
    },
  );
});
