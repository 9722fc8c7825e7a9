import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { PayoutField } from '../../../../functions/domain/payout-file/field-table.ts';
import type { Fields } from './bad-rows.ts';
import { csvOf, toBank, toId } from './bad-rows.ts';
import { planBytes } from './plan-bytes.ts';

/** What the payment service's document says of a text that it takes. */
const text = z.object({ maxLength: z.int().optional(), pattern: z.string().optional() });
const file = new URL('../../../../functions/payment-service/openapi.json', import.meta.url);
const documented = z
  .looseObject({ paths: z.record(z.string(), z.unknown()) })
  .parse(JSON.parse(readFileSync(file, 'utf8')));
const schemaAt = (path: string, ...fields: readonly string[]) => {
  const inBody = ['post', 'requestBody', 'content', 'application/json', 'schema', 'properties'];
  const found = ['paths', path, ...inBody, ...fields].reduce<unknown>(
    (value, key) => z.record(z.string(), z.unknown()).parse(value)[key],
    documented,
  );
  return text.parse(found);
};
const ofFiat = (...fields: readonly string[]) =>
  schemaAt('/v2/disbursement/fiat', 'disburseData', 'items', 'properties', ...fields);
const ofRecipient = (...fields: readonly string[]) => ofFiat('recipient', 'properties', ...fields);
const ofBank = (field: string) => ofRecipient('bank', 'properties', field);
const ofCrypto = (field: string) => schemaAt('/v1/disbursement/crypto', 'receivers', 'items', 'properties', field);

/** Words that stand behind `/v1/deposit` and `/v1/disbursement` in the service's paths. */
const wordsBehind = [
  ...new Set(
    Object.keys(documented.paths)
      .filter((path) => /^\/v\d\/(deposit|disbursement)\//.test(path))
      .flatMap((path) => path.split('/').slice(3))
      .filter((part) => !part.startsWith('{')),
  ),
];

const refusalOf = async (row: Fields, column: PayoutField): Promise<string | undefined> =>
  (await planBytes(csvOf(row))).errors.find((error) => error.column === column)?.code;

describe('the payment service and the payout file', () => {
  const wide = (length: number) => '😀'.repeat(length);
  const plain = (length: number) => 'x'.repeat(length);
  const email = (length: number) => `${'x'.repeat(length - 5)}@a.id`;
  it.each([
    ['recipientId', ofFiat('recipientId'), toId, plain],
    ['note', ofFiat('note'), toId, wide],
    ['email', ofRecipient('email'), toId, email],
    ['name', ofRecipient('name'), toId, wide],
    ['bankName', ofBank('bankName'), toBank, wide],
    ['accountName', ofBank('accountName'), toBank, wide],
    ['bankCode', ofBank('bankCode'), toBank, plain],
    ['walletAddress', ofCrypto('receiverWalletAddress'), { ...toId, recipientId: '' }, plain],
  ] as const)('accept a %s of the same length', async (column, { maxLength = 0 }, row, ofLength) => {
    expect(await refusalOf({ ...row, [column]: ofLength(maxLength) }, column)).not.toBe('value_too_long');
    expect(await refusalOf({ ...row, [column]: ofLength(maxLength + 1) }, column)).toBe('value_too_long');
  });

  it.each(wordsBehind)('refuse the word %s of the paths as a reference', async (word) => {
    expect(await refusalOf({ ...toId, reference: word }, 'reference')).toBe('reference_reserved');
  });

  it('count the characters of a note as sent, on one line', async () => {
    const { maxLength = 0 } = ofFiat('note');
    const note = (letters: number) => `${'x'.repeat(letters)}\r\n\r\n\r\nabc`;
    expect(await refusalOf({ ...toId, note: note(maxLength - 4) }, 'note')).toBeUndefined();
    expect(await refusalOf({ ...toId, note: note(maxLength - 3) }, 'note')).toBe('value_too_long');
  });

  it('accept the same account numbers, except with a leading hyphen', async () => {
    const shape = new RegExp(ofBank('accountNumber').pattern ?? 'none');
    const numbers = Array.from({ length: 36 }, (_, index) => '1'.repeat(index + 1));
    for (const accountNumber of [...numbers, '12-4', 'ab-', 'Ab-9', '12 45', '12.45', '123é'])
      expect([accountNumber, (await refusalOf({ ...toBank, accountNumber }, 'accountNumber')) === undefined]).toEqual([
        accountNumber,
        shape.test(accountNumber),
      ]);
    expect(shape.test('-1234')).toBe(true);
    expect(await refusalOf({ ...toBank, accountNumber: '-1234' }, 'accountNumber')).toBe('value_malformed');
  });
});
