import { crc16 } from '../crc16.ts';

/** Field 63 of the format: CRC-16/CCITT-FALSE as four capital hexadecimal digits. */
export const checksum = (text: string): string =>
  crc16(Buffer.from(text, 'ascii'), 0xffff).toString(16).toUpperCase().padStart(4, '0');

/**
 * A field of a QR payment in the EMVCo merchant-presented format (EMV QRCPS): its number, its length and its value. Every
 * scheme here builds on it.
 */
export const field = (id: string, value: string): string => `${id}${value.length.toString().padStart(2, '0')}${value}`;

/** At most `length` characters that every reader accepts, without diacritics. */
export const plain = (text: string, length: number): string =>
  text
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9 .-]/g, '')
    .trim()
    .slice(0, length) || 'MERCHANT';

/** The text inside the QR code: its fields, and their checksum. */
export const qrPayload = (fields: readonly string[]): string => {
  const body = [...fields, '6304'].join('');
  return body + checksum(body);
};
