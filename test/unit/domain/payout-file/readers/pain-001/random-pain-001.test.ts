import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPain001 } from '../../../../../../functions/domain/payout-file/readers/pain-001/read-pain-001.ts';
import { anyText } from '../../../../../support/any-text.ts';
import { drawsAll, runs } from '../../../../../support/fast-loop.ts';
import { header, pain001, payment, transaction } from '../../../../../support/pain/written-pain-001.ts';
import { payoutsOf, planBytes } from '../../plan-bytes.ts';

const options = { paidOn: '2026-11-21', bankCodesByBic: new Map<string, string>(), seeInstructions: () => undefined };

const whole = pain001({
  payments: ['1', '2'].map((n) =>
    payment('pain.001.001.09', {
      paymentId: `PAY-${n}`,
      transactions: [transaction({ endToEndId: `A-${n}` }), transaction({ endToEndId: `B-${n}`, amount: '70000.25' })],
    }),
  ),
});
const wholeBytes = Buffer.from(whole);
const tags = [...new Set(whole.match(/<[^>]*>/g) ?? [])];

/** Pieces of XML. Random mixtures of them go deeper into a reader than random bytes. */
const piece = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...tags) },
  fc.constantFrom(
    '<',
    '>',
    '&',
    '&amp;',
    '&#0;',
    '&#x41;',
    '&lt',
    '<![CDATA[',
    ']]>',
    '<!--',
    '-->',
    '<?p ',
    '?>',
    '"',
    "'",
  ),
  fc.constantFrom(
    '<!DOCTYPE d [',
    '<!ENTITY e "e">',
    ']>',
    '&e;',
    '&constructor;',
    ' xmlns=""',
    ' xmlns:p="urn:p"',
    '<p:a/>',
  ),
  fc.constantFrom('__proto__', '<__proto__/>', '<constructor>', '\u0000', '\ufeff', '\ufffd', '😀', '50000', ' '),
  anyText({ maxLength: 8 }),
);
const soup = fc
  .array(piece, { maxLength: 60 })
  .map((pieces) => Buffer.from(pieces[0]?.startsWith('<') === true ? pieces.join('') : `<${pieces.join('')}`));
const bytes = fc.uint8Array({ maxLength: 400 }).map((some) => Buffer.concat([Buffer.from('<?xml '), some]));

/** The file with parts removed, moved, repeated or replaced. */
const mutated = fc
  .array(
    fc.record({
      from: fc.nat(wholeBytes.length),
      length: fc.nat(60),
      put: fc.oneof(
        soup,
        fc
          .record({ from: fc.nat(wholeBytes.length), length: fc.nat(200) })
          .map((copied) => wholeBytes.subarray(copied.from, copied.from + copied.length)),
      ),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((changes) =>
    changes.reduce(
      (file, { from, length, put }) => Buffer.concat([file.subarray(0, from), put, file.subarray(from + length)]),
      wholeBytes,
    ),
  );

/** The file with whole elements repeated or removed, so that it stays XML. */
const reshaped = fc
  .array(
    fc.record({ tag: fc.constantFrom(...tags.filter((tag) => !/^<[/?]/.test(tag))), times: fc.constantFrom(0, 2, 3) }),
    {
      minLength: 1,
      maxLength: 3,
    },
  )
  .map((changes) =>
    Buffer.from(
      changes.reduce((file, { tag, times }) => {
        const name = /^<(\w+)/.exec(tag)?.[1] ?? '';
        return file.replace(new RegExp(`<${name}[ >].*?</${name}>`), (element) => element.repeat(times));
      }, whole),
    ),
  );

describe('a file that begins as XML', () => {
  it.each([
    ['bytes', bytes, 1500],
    ['pieces of XML', soup, 1500],
    ['a changed file', mutated, 1500],
    ['a file with other elements', reshaped, 300],
  ] as const)('is planned or refused, and nothing else: %s', async (_kind, files, numRuns) => {
    await fc.assert(
      fc.asyncProperty(files, fc.integer({ min: 1, max: 64 }), async (file, blockBytes) => {
        const { planned, errors } = await planBytes(file, {
          blockBytes,
          invalidRows: 'skip',
          settings: { maxRows: 1000 },
        });
        expect(planned.kind === 'planned' || errors.length > 0).toBe(true);
        if (planned.kind === 'planned') expect(planned.validRows).toBeGreaterThan(0);
      }),
      { numRuns: runs(numRuns) },
    );
  });

  it('reads the same rows wherever its blocks end', async () => {
    const all = payoutsOf(await planBytes(whole));
    expect(all).toHaveLength(4);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 200 }), async (blockBytes) => {
        expect(payoutsOf(await planBytes(whole, { blockBytes }))).toEqual(all);
      }),
      { numRuns: runs(30) },
    );
  });

  it('matches its control totals exactly when they equal its sums', async () => {
    const minor = fc.bigInt({ min: 1_000_000n, max: 50_000_000n });
    const text = (amount: bigint) => `${amount / 100n}.${String(amount % 100n).padStart(2, '0')}`;
    await fc.assert(
      fc.asyncProperty(
        fc.array(minor, { minLength: 1, maxLength: 20 }),
        fc.constantFrom(0n, 1n, -1n),
        async (all, off) => {
          const transactions = all.map((amount, n) => transaction({ endToEndId: `A-${n}`, amount: text(amount) }));
          const sum = text(all.reduce((one, other) => one + other, off));
          const file = pain001({
            header: header(all.length, ['CtrlSum', sum]),
            payments: [payment('pain.001.001.09', { transactions })],
          });
          expect((await planBytes(file)).planned.kind).toBe(off === 0n ? 'planned' : 'refused');
        },
      ),
      { numRuns: runs(100) },
    );
  });

  it.runIf(drawsAll)('is streamed: thirty thousand transactions pass through', async () => {
    const [begin = '', end = ''] = pain001({ header: header(30_000) }).split(/<CdtTrfTxInf>.*<\/CdtTrfTxInf>/);
    const one = /<CdtTrfTxInf>.*<\/CdtTrfTxInf>/.exec(whole)?.[0].split('</CdtTrfTxInf>')[0] ?? '';
    async function* blocks(): AsyncGenerator<Buffer> {
      yield Buffer.from(begin);
      for (let n = 0; n < 30_000; n += 100)
        yield Buffer.from(
          Array.from({ length: 100 }, (_, k) => `${one.replace('A-1', `A-${n + k}`)}</CdtTrfTxInf>`).join(''),
        );
      yield Buffer.from(end);
    }
    let rows = 0;
    let largest = 0;
    for await (const block of readPain001(blocks(), options)) {
      rows += block.length;
      largest = Math.max(largest, block.length);
    }
    expect(rows).toBe(30_000);
    expect(largest).toBeLessThan(1000);
  });
});
