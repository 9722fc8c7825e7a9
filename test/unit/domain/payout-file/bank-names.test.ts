import { describe, expect, it } from 'vitest';
import { bankNames } from '../../../../functions/domain/payout-file/bank-names.ts';
import { twoBanksProblem } from '../../../../functions/domain/payout-file/messages/codes.ts';
import { fiatPaymentMethods } from '../../../../functions/payment-service/domain/disbursements/payment-methods.ts';

const bank = (code: string, name: string) => ({ code, name });
const twoBanks = bankNames([
  bank('BCA', 'Bank Central Asia'),
  bank('BCAS', 'Bank Central Asia Syariah'),
  bank('BRI', 'Bank Rakyat Indonesia'),
  bank('MANDIRI', 'Bank Mandiri'),
  bank('TASPEN', 'Bank Mandiri Taspen'),
  bank('ACB', 'Asia Commercial Bank'),
  bank('HDFC', 'HDFC Bank'),
  bank('SWIFT1', 'KFH'),
  bank('SWIFT2', 'Kuwait Finance House'),
  bank('OLD', 'Kuwait Finance House'),
  bank('VTB', 'Ngân hàng Công thương'),
  bank('BPI1', 'BPI'),
  bank('BPI2', 'Bank of the Philippine Islands'),
  bank('HSBC1', 'HSBC'),
  bank('HSBC2', 'The Hongkong and Shanghai Banking Corporation Ltd.'),
  bank('BRI2', 'Bank BRI'),
]);

describe('a bank’s name beside a code', () => {
  it.each([
    ['BCA', 'Bank Rakyat Indonesia', 'BRI'],
    ['BCA', 'BANK  RAKYAT-INDONESIA.', 'BRI'],
    ['BRI', 'HDFC Bank', 'HDFC'],
    ['BRI', 'ngân hàng công THƯƠNG', 'VTB'],
  ])('is another’s: %s, %s', (code, name, other) => {
    expect(twoBanks(code, name)).toMatchObject({ coded: { code }, named: { code: other } });
  });

  it('is told with both, by code and name', () => {
    const two = twoBanks('BCA', 'bank rakyat indonesia');
    expect(two && twoBanksProblem(two)).toMatch(
      /^"bankCode" is BCA \(Bank Central Asia\), and "bankName" is that of BRI \(Bank Rakyat Indonesia\)\./,
    );
  });

  it.each([
    ['as it is listed', 'BCA', 'Bank Central Asia'],
    ['in other letters', 'BCA', 'bank central asia'],
    ['in the letters it begins with', 'BCA', 'BCA'],
    ['that nobody lists', 'BCA', 'PT Bank Rakyat Indonesia Tbk'],
    ['with more than another’s', 'BCA', 'Bank Rakyat Indonesia Syariah'],
    ['that is empty', 'BCA', ''],
    ['that has no word', 'BCA', '—'],
    ['that is short for its own, though another is called so', 'TASPEN', 'Bank Mandiri'],
    ['that is its own and more', 'BCA', 'Bank Central Asia Syariah'],
    ['whose first letters another is listed by', 'SWIFT2', 'KFH'],
    ['that is listed by its first letters', 'SWIFT1', 'Kuwait Finance House'],
    ['that two codes have', 'OLD', 'Kuwait Finance House'],
    ['that is its own, less its little words', 'BPI1', 'Bank of the Philippine Islands'],
    ['that is its own, less its form', 'HSBC1', 'The Hongkong and Shanghai Banking Corporation Ltd.'],
    ['that is short behind the word bank', 'BRI', 'Bank BRI'],
    ['of an unknown code', 'XYZ', 'Bank Rakyat Indonesia'],
  ])('passes %s', (_, code, name) => {
    expect(twoBanks(code, name)).toBeUndefined();
  });

  it.each([...Map.groupBy(fiatPaymentMethods, ({ currency }) => currency)])(
    'is that of one bank alone in the sandbox’s list of %s',
    (_, methods) => {
      const listed = methods.map(({ bankCode, bankName }) => bank(bankCode, bankName));
      const names = bankNames(listed);
      for (const one of listed)
        for (const other of listed)
          expect([one.code, other.name, names(one.code, other.name)?.named.code]).toEqual([
            one.code,
            other.name,
            one === other ? undefined : other.code,
          ]);
    },
  );
});
