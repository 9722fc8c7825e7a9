import { crc32, deflateSync } from 'node:zlib';
import { encodeQR } from 'qr';

/** Pixels per module: sharp on a phone's display, and large enough for a gallery. `scanline` relies on eight. */
const scale = 8;

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

const chunk = (type: string, content: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(content.length, 0);
  named.copy(framed, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
};

/** One row of pixels in PNG's form: no filter, then one bit per pixel, 1 for white. So a module is one byte. */
const scanline = (modules: readonly boolean[]): Buffer =>
  Buffer.from([0, ...modules.map((isBlack) => (isBlack ? 0x00 : 0xff))]);

/**
 * A QR code as a PNG, with its quiet zone of four modules. It is not an SVG, because wallet apps read saved codes from
 * the phone's gallery, which accepts only pixels.
 *
 * @param text at most 2331 bytes
 */
export const qrImage = (text: string): Buffer => {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: 4 });
  const head = Buffer.alloc(13);
  head.writeUInt32BE(rows.length * scale, 0);
  head.writeUInt32BE(rows.length * scale, 4);
  // One bit per pixel, grayscale; deflate, adaptive filters, not interlaced.
  head.set([1, 0, 0, 0, 0], 8);
  const pixels = Buffer.concat(rows.flatMap((row) => new Array<Buffer>(scale).fill(scanline(row))));
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(pixels, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};
