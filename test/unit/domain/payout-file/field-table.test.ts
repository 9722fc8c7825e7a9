import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { chunkFile } from '../../../../functions/domain/batch/chunk-file.ts';
import { ownReferenceLimit } from '../../../../functions/domain/payout/retries.ts';
import { fieldTable } from '../../../../functions/domain/payout-file/field-table.ts';
import { payoutFields } from '../../../../functions/domain/payout-file/fields.ts';
import { faults, limits } from '../../../payout-files/faults.ts';
import { columns, drawGoodRow } from '../../../payout-files/good-rows.ts';
import { sandboxOffers } from '../../../payout-files/offers.ts';
import { chanceOf } from '../../../support/chance.ts';
import { badRows, csvOf, toBank } from './bad-rows.ts';
import { payoutsOf, planBytes } from './plan-bytes.ts';

const document = readFileSync(
  new URL('../../../../functions/domain/payout-file/PAYOUT-FILE.md', import.meta.url),
  'utf8',
);

const recipients = {
  bank: ['bankCode', 'bankName', 'accountNumber', 'accountName'],
  recipientId: ['recipientId'],
  wallet: ['walletAddress'],
};
const fieldsOfRecipients: readonly string[] = Object.values(recipients).flat();

/** Values that no rule refuses, and that differ from each other. */
const values: Readonly<Record<string, string>> = {
  ...Object.fromEntries(payoutFields.map((field) => [field, fieldTable[field].example])),
  bankCode: 'bca',
  name: 'Ana Example',
};

describe.each(Object.entries(recipients))('a row with every field that a payout to a %s may have', (kind, own) => {
  const given = payoutFields.filter((field) => own.includes(field) || !fieldsOfRecipients.includes(field));
  const row: Readonly<Record<string, string>> = {
    ...values,
    ...(kind === 'wallet' ? { currency: 'usdt-tron', amount: '25.5' } : {}),
  };
  const csv = `${[...given, 'x-team'].join(',')}\n${[...given.map((field) => row[field]), 'Sales'].join(',')}\n`;

  it('keeps every value in the chunk file', async () => {
    const [payout] = payoutsOf(await planBytes(csv));
    expect({ ...payout?.recipient, ...payout }).toMatchObject(
      Object.fromEntries(given.map((field) => [field, row[field]])),
    );
    expect(payout?.extras).toEqual({ 'x-team': 'Sales' });
  });

  it('is unchanged after its chunk file was written and read', async () => {
    const { chunks } = await planBytes(csv);
    expect(chunks.map((chunk) => chunkFile().parse(JSON.parse(JSON.stringify(chunk))))).toEqual(chunks);
  });
});

it.each(payoutFields.filter((field) => fieldTable[field].isFreeText))(
  '%s of two lines is kept on one',
  async (field) => {
    const [payout] = payoutsOf(await planBytes(csvOf({ ...toBank, [field]: 'Ab\nCd' })));
    expect({ ...payout?.recipient, ...payout }).toMatchObject({ [field]: 'Ab Cd' });
  },
);

it('no two fields have another name in common', () => {
  const names = payoutFields.flatMap((field) => fieldTable[field].otherNames?.split(' ') ?? []);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

it('the generator of damaged files makes each text too long', () => {
  // Their damage has faults of its own.
  const others = ['reference', 'amount', 'email'];
  const lengths = Object.fromEntries(limits.map(([column, most]) => [column, most]));
  const table = payoutFields.filter((field) => !others.includes(field)).map((field) => [field, fieldTable[field].most]);
  expect(lengths).toEqual(Object.fromEntries(table));
});

it.each(payoutFields)('PAYOUT-FILE.md explains %s with its limit', (field) => {
  const most = field === 'reference' ? ownReferenceLimit : fieldTable[field].most;
  expect(document).toMatch(new RegExp(`^\\| \`${field}\` \\| [^|]+ \\| ${most} \\|`, 'm'));
});

it('PAYOUT-FILE.md lists every field whose line breaks become a space', () => {
  const freeTexts = payoutFields.filter((field) => fieldTable[field].isFreeText).map((field) => `\`${field}\``);
  expect(document).toContain(`Line breaks in ${freeTexts.join(', ')} and \`x-\` columns`);
});

describe('the codes of refused rows in PAYOUT-FILE.md', () => {
  const [, table = ''] = document.split('| a row is refused | codes |\n|---|---|\n');
  const cells = (table.split('\n\n')[0] ?? '').split('\n').map((line) => line.split(' | ')[1] ?? '');
  const documented = cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, code = '']) => code));

  it('are those of all bad rows that are tested', () => {
    // These two depend on other rows or batches.
    const tested = [...badRows.map(({ code }) => code), 'duplicate_reference', 'original_not_retryable'];
    expect([...new Set(documented)].toSorted()).toEqual([...new Set(tested)].toSorted());
  });

  it('are all caused by the generator of damaged files', () => {
    const caused = faults.map(({ code }) => code);
    expect(documented.filter((code) => !caused.includes(code))).toEqual([]);
    expect(documented.length).toBeGreaterThan(20);
  });
});

it('generated payout files have every column', () => {
  expect(columns).toEqual(payoutFields);
  const rows = Array.from({ length: 100 }, (_, seed) =>
    drawGoodRow(chanceOf(seed), { offers: sandboxOffers, seed: `${seed}`, isSandbox: false, hasReferences: true }),
  );
  expect(columns.filter((column) => rows.every(({ cells }) => cells[column] === undefined))).toEqual([]);
});
