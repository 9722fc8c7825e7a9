/**
 * CRC-16 with the polynomial 0x1021.
 *
 * @param start 0 for CRC-16/XMODEM, 0xffff for CRC-16/CCITT-FALSE
 */
export const crc16 = (bytes: Uint8Array, start: number): number => {
  let crc = start;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = ((crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021) & 0xffff;
  }
  return crc;
};
