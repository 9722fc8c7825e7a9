import { crc16 } from './crc16.ts';

/** The form of a TON address, bounceable or not, on workchain 0 or -1. */
export const tonShape = /^[EU](?:Q[A-D]|f[89_-])[\w-]{45}$/;

/** Bytes of an address before its checksum: one that says whether a transfer may bounce, the workchain, and the account. */
const checkedBytes = 34;

/** The bit of the first byte that differs between the two forms. */
const formBit = 0x40;

/** True when the checksum of a text of that form is right. */
export const hasTonChecksum = (address: string): boolean => {
  const bytes = Buffer.from(address, 'base64url');
  return crc16(bytes.subarray(0, checkedBytes)) === bytes.readUInt16BE(checkedBytes);
};

export const isTonAddress = (text: string): boolean => tonShape.test(text) && hasTonChecksum(text);

/** The same account in the other form: `EQ…` for `UQ…`. Senders may use either. */
export const inOtherForm = (tonAddress: string): string => {
  const bytes = Buffer.from(tonAddress, 'base64url');
  bytes.writeUInt8(bytes.readUInt8() ^ formBit);
  bytes.writeUInt16BE(crc16(bytes.subarray(0, checkedBytes)), checkedBytes);
  return bytes.toString('base64url');
};
