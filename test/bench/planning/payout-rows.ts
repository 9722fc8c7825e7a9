import type { PaymentMethod } from '../../../functions/ports/provider.ts';
import { paymentMethod } from '../../support/money.ts';
import { evmAddress, tronAddress } from '../../support/wallet-addresses.ts';

/** Columns of the generated file, as a merchant's treasury system would export them. */
export const generatedColumns = [
  'reference',
  'amount',
  'currency',
  'recipientId',
  'bankCode',
  'bankName',
  'accountNumber',
  'accountName',
  'walletAddress',
  'note',
] as const;

const banks = {
  IDR: ['bca', 'mandiri', 'bni', 'bri'],
  PHP: ['bdo', 'bpi'],
  VND: ['vcb'],
} as const;

const tokens = ['usdt-tron', 'usdc-polygon'] as const;

const fiatMethod = (currency: string, code: string, index: number): PaymentMethod =>
  paymentMethod({
    rail: 'fiat',
    currency,
    code,
    name: `Bank ${code.toUpperCase()}`,
    minAmount: '10',
    maxAmount: '500000000',
    feeFlat: String(index + 1),
    feePercentage: '0.15',
  });

/** Payment methods under which every generated row is valid. */
export const generatedMethods: readonly PaymentMethod[] = [
  ...Object.entries(banks).flatMap(([currency, codes]) =>
    codes.map((code, index) => fiatMethod(currency, code, index)),
  ),
  ...tokens.map((token) =>
    paymentMethod({
      rail: 'crypto',
      currency: token,
      code: token,
      name: token,
      minAmount: '0.5',
      maxAmount: '250000',
      feeFlat: '1',
      feePercentage: '0',
    }),
  ),
];

const pick = <Item>(items: readonly [Item, ...Item[]], index: number): Item => items[index % items.length] ?? items[0];

/** Row `row` (from 1) of the generated file: a fixed mix, equal in every run, each with its own reference. */
export const generatedRow = (row: number): string => {
  const scattered = (row * 2_654_435_761) % 4_294_967_296;
  const reference = `INV-2031-${String(row).padStart(8, '0')}`;
  const cents = String(scattered % 100).padStart(2, '0');
  const whole = 1_000 + (scattered % 90_000);
  switch (row % 10) {
    case 0:
    case 1: {
      const token = pick(tokens, row);
      // Wallets show an EVM address in checksum case, programs often in lower case. Half of the rows have each.
      const evm = row % 20 < 10 ? evmAddress(reference) : evmAddress(reference).toLowerCase();
      const address = token === 'usdt-tron' ? tronAddress(reference) : evm;
      return `${reference},${whole}.${cents}0001,${token},,,,,,${address},"weekly settlement, part ${row % 7}"`;
    }
    case 2:
    case 3:
      return `${reference},${whole}.${cents},PHP,rec_${scattered.toString(36)}${row},,,,,,salary`;
    case 4: {
      const code = pick(banks.VND, row);
      return `${reference},${whole}000,VND,,${code},Bank ${code.toUpperCase()},${String(scattered).padStart(12, '0')},Nguyễn Văn ${row % 977},,`;
    }
    default: {
      const code = pick(banks.IDR, row);
      return `${reference},${whole}.${cents},IDR,,${code},Bank ${code.toUpperCase()},${String(scattered).padStart(12, '0')},Recipient ${row % 9_973},,invoice ${row}`;
    }
  }
};

/** The row whose debt the last row of a file repeats. */
export const repeatedRow = 7;

const repeating = (row: number): string =>
  generatedRow(repeatedRow).replace(/^[^,]*/, generatedRow(row).split(',', 1).join());

/** The whole file in blocks of some hundred rows, for a stream. Only the last row repeats a debt. */
export function* generatedCsv(rows: number): Generator<string> {
  yield `${generatedColumns.join(',')}\n`;
  const block = 500;
  for (let first = 1; first <= rows; first += block) {
    let text = '';
    for (let row = first; row < first + block && row <= rows; row++)
      text += `${row === rows ? repeating(row) : generatedRow(row)}\n`;
    yield text;
  }
}
