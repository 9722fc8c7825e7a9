import type { Chance } from '../support/chance.ts';
import { noRecipient } from '../support/scenes/no-recipient.ts';
import type { Cells, Column } from './good-rows.ts';
import { amountBeside } from './good-rows.ts';
import { hiddenCharacter } from './hidden-characters.ts';
import type { Offer } from './offers.ts';
import { bankNames } from './offers.ts';
import { hasRules, mistypedWallet, walletOf, walletOfAnotherNetwork } from './wallets.ts';
import type { Format, TypedRow } from './write-rows.ts';
import { rawBytes } from './write-rows.ts';

/** A good row to be damaged, with the facts of its file that the damage needs. */
export interface Damaged {
  readonly chance: Chance;
  readonly row: TypedRow;
  readonly offer: Offer;
  readonly offers: readonly Offer[];
  readonly seed: string;
  /** References of earlier good rows. */
  readonly taken: readonly string[];
}

/** A way to make a row invalid. */
export interface Fault {
  readonly kind: string;
  /** The document's code for it. */
  readonly code: string;
  /** Codes that the damage may cause in addition. */
  readonly beside?: readonly string[];
  readonly formats?: readonly Format[];
  readonly fits?: (damaged: Damaged) => boolean;
  readonly damage: (damaged: Damaged) => void;
}

const set = (cells: (damaged: Damaged) => Cells) => (damaged: Damaged) => {
  Object.assign(damaged.row.cells, cells(damaged));
};
const pick = (chance: Chance, first: string, ...others: readonly string[]): string => chance.pick([first, ...others]);

const hasBank = ({ row }: Damaged): boolean => row.cells.bankCode !== undefined;
const hasId = ({ row }: Damaged): boolean => row.cells.recipientId !== undefined;
const hasWallet = ({ row }: Damaged): boolean => row.cells.walletAddress !== undefined;

const amount = (code: string, texts: readonly [string, ...string[]]): Fault => ({
  kind: 'amount',
  code,
  damage: set(({ chance }) => ({ amount: chance.pick(texts) })),
});

const amounts: readonly Fault[] = [
  amount('value_missing', ['', '  ']),
  amount('amount_zero', ['0', '0.00', '000']),
  amount('amount_negative', ['-50000', '-0.5']),
  amount('amount_exponent', ['5e4', '1.2E+11', '1e400', '-1e5']),
  amount('amount_comma', ['50,000', '50.000,00', '1,5']),
  amount('amount_not_a_number', [
    ...(['ten', '+50000', '50000.', '.5', 'Rp50000', '0x10', '５００００', '٥٠٠٠٠', '50 000', '1.2.3'] as const),
    ...(['NaN', 'Infinity', '--5', '$5', '5_000', '50000%'] as const),
  ]),
  amount('value_too_long', ['9'.repeat(41), `1.${'0'.repeat(60)}`, '0'.repeat(300)]),
  {
    kind: 'amount',
    code: 'amount_too_many_decimals',
    damage: set(({ chance, offer: { least, decimals } }) => ({
      amount: amountBeside(least, decimals + 1, BigInt(chance.int(1, 9))),
    })),
  },
  {
    kind: 'amount',
    code: 'amount_below_minimum',
    damage: set(({ offer: { least, decimals } }) => ({ amount: amountBeside(least, decimals, -1n) })),
  },
  {
    kind: 'amount',
    code: 'amount_above_maximum',
    damage: set(({ offer: { most, decimals } }) => ({ amount: amountBeside(most, decimals, 1n) })),
  },
];

const currencies: readonly Fault[] = [
  { kind: 'currency', code: 'value_missing', damage: set(() => ({ currency: '' })) },
  {
    kind: 'currency',
    code: 'currency_unknown',
    damage: set(({ chance, offer: { currency } }) => ({
      currency: pick(chance, 'XQZ', 'rupiah', 'usdt', 'usdt tron', 'toString', '__proto__', `${currency}.`),
    })),
  },
  {
    kind: 'currency',
    code: 'currency_not_offered',
    beside: ['recipient_wrong_rail', 'address_wrong_network', 'value_malformed'],
    damage: set(({ chance }) => ({ currency: pick(chance, 'CHF', 'usdt-solana') })),
  },
];

const recipients: readonly Fault[] = [
  {
    kind: 'recipient',
    code: 'recipient_missing',
    damage: set(() => noRecipient),
  },
  {
    kind: 'recipient',
    code: 'recipient_ambiguous',
    damage: set(({ row, offer, chance, seed }) =>
      row.cells.recipientId === undefined
        ? { recipientId: 'rcp_other' }
        : chance.happens(0.5)
          ? { bankName: 'BCA' }
          : { walletAddress: walletOf(chance, 'usdt-tron', `${seed} ${offer.currency}`) },
    ),
  },
  {
    kind: 'recipient',
    code: 'recipient_wrong_rail',
    fits: hasId,
    damage: set(({ chance, seed }) => ({ recipientId: '', walletAddress: walletOf(chance, 'usdt-tron', seed) })),
  },
  {
    kind: 'recipient',
    code: 'recipient_wrong_rail',
    fits: hasWallet,
    damage: set(({ chance }) => {
      const bank = { bankCode: 'BCA', bankName: 'BCA', accountNumber: '00123456', accountName: 'Siti' };
      return { walletAddress: '', ...(chance.happens(0.5) ? bank : { recipientId: 'rcp_1' }) };
    }),
  },
  {
    kind: 'recipient',
    code: 'value_malformed',
    fits: hasId,
    damage: set(({ chance }) => ({ recipientId: pick(chance, 'rcp 1', 'rcp-é', 'rcp\u00a01') })),
  },
  ...(['bankCode', 'bankName', 'accountNumber', 'accountName'] as const).map(
    (column): Fault => ({ kind: 'bank', code: 'value_missing', fits: hasBank, damage: set(() => ({ [column]: '' })) }),
  ),
  {
    kind: 'bank',
    code: 'bank_code_unknown',
    fits: hasBank,
    damage: set(({ chance, offer, offers }) => {
      const other = offers.find(({ currency, banks }) => banks.length > 0 && currency !== offer.currency)?.banks[0];
      return { bankCode: pick(chance, 'NOBANK', other ?? 'BCA2', 'constructor', (offer.banks[0] ?? '').toLowerCase()) };
    }),
  },
  {
    kind: 'bank',
    code: 'bank_name_of_another',
    fits: ({ row }) => bankNames[row.cells.bankCode ?? ''] !== undefined,
    damage: set(({ chance, row }) => {
      const names = Object.entries(bankNames).flatMap(([code, name]) => (code === row.cells.bankCode ? [] : [name]));
      const name = pick(chance, names[0] ?? '', ...names);
      return { bankName: pick(chance, name, name.toUpperCase(), ` ${name.replaceAll(' ', '  ')}.`) };
    }),
  },
  {
    kind: 'bank',
    code: 'value_malformed',
    fits: hasBank,
    damage: set(({ chance }) => ({
      accountNumber: pick(
        chance,
        '123',
        '-12345',
        '1.23E+11',
        '12 3456',
        '12345é',
        '１２３４５６',
        '+6212345',
        '12/3456',
      ),
    })),
  },
  {
    kind: 'wallet',
    code: 'value_malformed',
    fits: hasWallet,
    damage: set(({ chance, offer, seed }) => ({ walletAddress: mistypedWallet(chance, offer.currency, seed) })),
  },
  {
    kind: 'wallet',
    code: 'address_wrong_network',
    fits: (damaged) => hasWallet(damaged) && hasRules(damaged.offer.currency),
    damage: set(({ chance, offer, seed }) => ({ walletAddress: walletOfAnotherNetwork(chance, offer.currency, seed) })),
  },
  {
    kind: 'email',
    code: 'email_malformed',
    damage: set(({ chance }) => ({
      email: pick(chance, 'siti@', '@a.id', 'siti@host', 'a b@c.id', 'siti', 'a@b@c.id'),
    })),
  },
];

const references: readonly Fault[] = [
  {
    kind: 'reference',
    code: 'reference_malformed',
    beside: ['duplicate_reference'],
    damage: set(({ chance }) => ({
      reference: pick(chance, 'A 1', 'A/1', '-A', '.a', '_a', 'é1', 'A#1', 'A%201', '..', 'A\\1', 'A,1'),
    })),
  },
  {
    kind: 'reference',
    code: 'reference_reserved',
    beside: ['duplicate_reference'],
    damage: set(({ chance }) => ({
      reference: pick(
        chance,
        'estimate',
        'Payment-Method',
        'REPORT',
        'b-01jgfjjz00e5x7b6nrw2m8k4vd-12',
        '01JGFJJZ00E5X7B6NRW2M8K4VD-1',
      ),
    })),
  },
  {
    kind: 'reference',
    code: 'value_too_long',
    beside: ['duplicate_reference'],
    damage: set(({ chance }) => ({ reference: 'R'.repeat(chance.pick([65, 69, 70, 300])) })),
  },
  {
    kind: 'reference',
    code: 'original_not_retryable',
    damage: set(({ chance, seed }) => ({
      reference: `nobody-has-${seed.replaceAll(/\W/g, '')}.r${chance.int(1, 999)}`,
    })),
  },
  {
    kind: 'reference twice',
    code: 'duplicate_reference',
    fits: ({ taken }) => taken.length > 0,
    damage: set(({ chance, taken: [first = '', ...others] }) => {
      const reference = chance.pick([first, ...others]);
      return { reference: pick(chance, reference, reference.toUpperCase(), reference.toLowerCase()) };
    }),
  },
];

/** The longest text of each column, written independently of the product's table. */
export const limits: readonly (readonly [Column, number, (damaged: Damaged) => boolean])[] = [
  ['recipientId', 64, hasId],
  ['bankCode', 40, hasBank],
  ['bankName', 120, hasBank],
  ['accountNumber', 34, hasBank],
  ['accountName', 140, hasBank],
  ['walletAddress', 64, hasWallet],
  ['currency', 32, () => true],
  ['name', 140, () => true],
  ['note', 255, () => true],
];

/** A column for text: one that any good row may have, or one that this row has. */
const textColumn = ({ chance, row }: Damaged, ...usual: readonly Column[]): Column => {
  const present = (['bankName', 'accountName'] as const).filter((column) => row.cells[column] !== undefined);
  return chance.pick<Column>(['note', 'name', ...present, ...usual]);
};
const broken = (text: (damaged: Damaged) => string, formats?: readonly Format[]): Fault => ({
  kind: 'bytes',
  code: 'invalid_utf8',
  ...(formats === undefined ? {} : { formats }),
  damage: set((damaged) => ({ [textColumn(damaged)]: text(damaged) })),
});

const characters: readonly Fault[] = [
  ...limits.map(
    ([column, most, fits]): Fault => ({
      kind: 'length',
      code: 'value_too_long',
      fits,
      damage: set(({ chance }) => ({
        [column]: chance
          .pick(column === 'note' || column.endsWith('Name') ? ['x', '😀', 'é'] : ['x', '1'])
          .repeat(most + chance.pick([1, 2, 200])),
      })),
    }),
  ),
  { kind: 'length', code: 'value_too_long', damage: set(() => ({ email: `${'x'.repeat(250)}@a.id` })) },
  {
    kind: 'hidden',
    code: 'control_character',
    beside: ['recipient_ambiguous'],
    damage: set((damaged) => {
      const { chance, row } = damaged;
      const column = textColumn(
        damaged,
        'email',
        'reference',
        'currency',
        'recipientId',
        'accountNumber',
        'walletAddress',
      );
      const text =
        { email: 'siti@a.id', currency: damaged.offer.currency }[column as 'email'] ?? row.cells[column] ?? 'Siti';
      const begin = [...text].slice(0, chance.int(1, 30)).join('');
      return { [column]: `${begin}x${hiddenCharacter(chance)}x` };
    }),
  },
  {
    kind: 'hidden',
    code: 'control_character',
    fits: hasBank,
    damage: set(({ chance }) => ({ accountNumber: pick(chance, '12\n345', '12\r\n345') })),
  },
  broken(() => 'Jos\ufffd Maria'),
  broken(
    ({ chance }) =>
      `Jos${rawBytes(pick(chance, 'e9', 'c0af', 'eda0bd', 'f5808080', 'f09f98', '80', 'ff', 'fe', 'e280'))}Maria`,
    ['csv', 'array', 'lines'],
  ),
];

const json = (
  code: string,
  formats: readonly Format[],
  ...[first, ...others]: readonly [(text: string) => string, ...((text: string) => string)[]]
): Fault => ({
  kind: 'json',
  code,
  formats,
  damage: ({ chance, row }) => {
    row.json = chance.pick([first, ...others]);
  },
});

/** The object with one more pair, which replaces any pair of that name. */
const withPair =
  (name: Column, value: string) =>
  (text: string): string => {
    // A numeric amount keeps its digits by becoming a text.
    const asText = text.replaceAll('\ufdd0', '').replace(/("amount": ?)([\d.]+)/i, '$1"$2"');
    const parsed: Record<string, unknown> = JSON.parse(asText);
    const kept = Object.entries(parsed).filter(
      ([key]) => key.replaceAll(/[ _-]/g, '').toLowerCase() !== name.toLowerCase(),
    );
    return `${JSON.stringify(Object.fromEntries(kept)).slice(0, -1)},"${name}":${value}}`;
  };
const also =
  (pair: string) =>
  (text: string): string =>
    `${text.slice(0, -1)},${pair}}`;
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const instead = (text: string) => (): string => text;
const anyJson = ['array', 'lines'] as const;

const structures: readonly Fault[] = [
  {
    kind: 'ragged',
    code: 'wrong_number_of_fields',
    formats: ['csv'],
    damage: ({ chance, row }) => {
      row.csv = chance.happens(0.5) ? (cells) => cells.slice(0, -1) : (cells) => [...cells, 'more'];
    },
  },
  json(
    'json_not_objects',
    anyJson,
    instead('17'),
    instead('null'),
    instead('"row"'),
    instead('[{"amount":"1"}]'),
    instead('true'),
  ),
  json(
    'field_unknown',
    anyJson,
    also('"colour":"red"'),
    also('"__proto__":"x"'),
    also('"constructor":"x"'),
    also('"toString":1'),
    also('"":""'),
    also('"am.ount":"5"'),
  ),
  {
    ...json(
      'field_repeated',
      anyJson,
      also('"amount":"70000"'),
      also('"Currency":"IDR"'),
      also('"am\\u006funt":5'),
      also('"AM-OUNT":5'),
    ),
    beside: ['recipient_wrong_rail', 'bank_code_unknown', 'amount_too_many_decimals', 'amount_below_minimum'],
  },
  {
    ...json(
      'number_not_text',
      anyJson,
      withPair('accountNumber', '12345678'),
      withPair('note', '-1.5e3'),
      withPair('reference', '7'),
      withPair('recipientId', `1${'0'.repeat(400)}`),
    ),
    beside: ['recipient_missing'],
  },
  json(
    'value_not_text',
    anyJson,
    withPair('note', 'true'),
    withPair('name', '{"first":"Siti"}'),
    withPair('note', '[]'),
    withPair('amount', '{"value":5}'),
    withPair('note', '{"toString":1}'),
    withPair('name', '[{"toString":null,"valueOf":null}]'),
    withPair('note', nested(20)),
  ),
  json('value_not_text', ['lines'], withPair('note', nested(40)), withPair('note', nested(100_000))),
  json('invalid_utf8', anyJson, withPair('note', '"half \\ud83d"'), withPair('name', '"\\udc00 half"')),
  json(
    'malformed_json',
    ['lines'],
    (text) => text.slice(0, -1),
    (text) => text.replace(':', '='),
    (text) => `${text} // paid`,
    (text) => `${text}${text}`,
    (text) => `${text.slice(0, -1)},}`,
    (text) => text.replaceAll('"', "'"),
    instead('{"amount":05,"currency":"IDR","recipientId":"r"}'),
    instead('{"amount":NaN,"currency":"IDR","recipientId":"r"}'),
    instead('{"note":"tab\there"}'),
  ),
];

const workbook = (code: string, change: (damaged: Damaged) => NonNullable<TypedRow['workbook']>): Fault => ({
  kind: 'workbook',
  code,
  formats: ['xlsx'],
  damage: (damaged) => {
    // Makes sure that the file has the column.
    damaged.row.cells.note ??= 'salary';
    damaged.row.workbook = change(damaged);
  },
});
const cell = (code: string, xml: string, ...columns: readonly [Column, ...Column[]]): Fault =>
  workbook(code, ({ chance }) => ({ cells: { [chance.pick(columns)]: xml } }));

const workbooks: readonly Fault[] = [
  cell('number_not_text', '<c><v>12345678</v></c>', 'note', 'currency'),
  cell('cell_is_date', '<c t="d"><v>2026-01-05</v></c>', 'note', 'amount'),
  cell('value_not_text', '<c t="b"><v>1</v></c>', 'note', 'amount'),
  cell('cell_error', '<c t="e"><f>B2*2</f><v>#REF!</v></c>', 'note', 'amount'),
  cell('formula_without_value', '<c><f>B2*2</f><v></v></c>', 'note', 'amount'),
  cell('amount_not_exact', '<c><v>50000.30000000001</v></c>', 'amount'),
  workbook('wrong_number_of_fields', () => ({ isWider: true })),
  workbook('row_hidden', () => ({ isHidden: true })),
];

/** Every rule of the document for a row. */
export const faults: readonly Fault[] = [
  ...amounts,
  ...currencies,
  ...recipients,
  ...references,
  ...characters,
  ...structures,
  ...workbooks,
];
