import { crc16 } from '../crc16.ts';

/** A QR payment in the EMVCo merchant-presented format (EMV QRCPS). Every scheme here builds on it. */
interface QrPayment {
  /** Identifies the scheme within the format: an application id or a reversed domain name. */
  readonly scheme: string;
  /** At most 25 letters and digits. */
  readonly merchantAccount: string;
  readonly merchantName: string;
  /** ISO 4217, three digits. */
  readonly currencyNumber: string;
  readonly amount: string;
  /** ISO 3166-1, two letters. */
  readonly countryCode: string;
  readonly city: string;
  readonly reference: string;
}

/** Field 63 of the format: CRC-16/CCITT-FALSE as four capital hexadecimal digits. */
export const checksum = (text: string): string =>
  crc16(Buffer.from(text, 'ascii'), 0xffff).toString(16).toUpperCase().padStart(4, '0');

const field = (id: string, value: string): string => `${id}${value.length.toString().padStart(2, '0')}${value}`;

/** At most `length` characters that every reader accepts, without diacritics. */
const plain = (text: string, length: number): string =>
  text
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9 .-]/g, '')
    .trim()
    .slice(0, length) || 'MERCHANT';

/** The text inside the QR code. */
export const qrPayload = (payment: QrPayment): string => {
  const body = [
    field('00', '01'),
    // 12: valid for one payment only.
    field('01', '12'),
    field('26', field('00', payment.scheme) + field('01', payment.merchantAccount)),
    // No particular merchant category.
    field('52', '0000'),
    field('53', payment.currencyNumber),
    field('54', payment.amount),
    field('58', payment.countryCode),
    field('59', plain(payment.merchantName, 25)),
    field('60', plain(payment.city, 15)),
    field('62', field('05', payment.reference)),
    '6304',
  ].join('');
  return body + checksum(body);
};
