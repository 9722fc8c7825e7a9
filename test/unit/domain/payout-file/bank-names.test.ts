import { describe, expect, it } from 'vitest';
import { bankNames } from '../../../../functions/domain/payout-file/bank-names.ts';
import { termsByCurrency } from '../../../../functions/domain/payout-file/currency-terms.ts';
import { bankCodeProblem, twoBanksProblem } from '../../../../functions/domain/payout-file/messages/codes.ts';
import { fiatPaymentMethods } from '../../../../functions/payment-service/domain/disbursements/payment-methods.ts';
import { paymentMethod } from '../../../support/money.ts';

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

  it('is reported with both, by code and name', () => {
    const two = twoBanks('BCA', 'bank rakyat indonesia');
    expect(two && twoBanksProblem(two)).toMatch(
      /^"bankCode" is BCA \(Bank Central Asia\), and "bankName" is that of BRI \(Bank Rakyat Indonesia\)\./,
    );
  });

  it.each([
    ['as it is listed', 'BCA', 'Bank Central Asia'],
    ['in other letters', 'BCA', 'bank central asia'],
    ['in the letters it begins with', 'BCA', 'BCA'],
    ['that is in no list', 'BCA', 'PT Bank Rakyat Indonesia Tbk'],
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

describe('a value in place of a bank’s code', () => {
  const listed = [
    ...fiatPaymentMethods.map(({ currency, bankCode, bankName }) => ({ currency, code: bankCode, name: bankName })),
    { currency: 'MYR', code: 'B1', name: 'KFH' },
    { currency: 'MYR', code: 'B2', name: 'Kuwait Finance House' },
    { currency: 'MYR', code: 'B3', name: 'Maybank' },
    { currency: 'MYR', code: 'B4', name: 'Maybank Bhd' },
    { currency: 'MYR', code: 'B5', name: 'Maybank' },
  ];
  const terms = termsByCurrency(
    listed.map((one) =>
      paymentMethod({
        ...one,
        ...{ rail: 'fiat', minAmount: '1', maxAmount: '2', feeFlat: '0', feePercentage: '0' },
      }),
    ),
  );
  const asked = (currency: string, written: string): string => {
    const of = terms.get(currency);
    if (of === undefined) throw new Error(`no banks of ${currency}`);
    return bankCodeProblem(written, of).replace(/^.*?\. ?/, '');
  };

  it.each([
    ['the whole name', 'IDR', 'Bank Mandiri', 'Did you mean MANDIRI (Bank Mandiri)?'],
    ['in other letters', 'IDR', 'BANK MANDIRI', 'Did you mean MANDIRI (Bank Mandiri)?'],
    ['with the form of its company', 'IDR', 'PT Bank Mandiri (Persero) Tbk', 'Did you mean MANDIRI (Bank Mandiri)?'],
    ['without the word bank', 'IDR', 'Negara Indonesia', 'Did you mean BNI (Bank Negara Indonesia)?'],
    ['in one word', 'THB', 'Krung Thai Bank', 'Did you mean KTB (Krungthai Bank)?'],
    ['short', 'THB', 'Kasikorn', 'Did you mean KBANK (Kasikornbank)?'],
    ['the code and the word bank', 'IDR', 'Bank BCA', 'Did you mean BCA (Bank Central Asia)?'],
    ['first letters', 'INR', 'SBI', 'Did you mean SBIN (State Bank of India)?'],
    ['the code in other letters', 'THB', 'KBank', 'Did you mean KBANK?'],
    ['a code mistyped', 'IDR', 'MANDIRRI', 'Did you mean MANDIRI? Compare it with the name of the bank.'],
    ['the name of one before first letters of another', 'MYR', 'Bank KFH', 'Did you mean B1 (KFH)?'],
    ['a name that two have', 'MYR', 'Maybank', 'It has B1, B2, B3, B4, B5.'],
    ['a part of another bank’s name', 'INR', 'Bank of India', 'It has HDFC, ICIC, SBIN.'],
    ['the word bank alone', 'INR', 'Bank', 'It has HDFC, ICIC, SBIN.'],
  ])('is answered: %s', (_, currency, written, expected) => {
    expect(asked(currency, written)).toBe(expected);
  });
});
