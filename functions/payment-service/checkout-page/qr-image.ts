import { crc32, deflateSync } from 'node:zlib';
import { encodeQR } from 'qr';

/** Pixels per module: sharp on a phone's display, and large enough for a gallery. */
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

/** One row of pixels in PNG's form: no filter, then one bit per pixel, 1 for white. */
const scanline = (modules: readonly boolean[]): Buffer => {
  const width = modules.length * scale;
  const line = Buffer.alloc(1 + Math.ceil(width / 8));
  for (let x = 0; x < width; x += 1) {
    if (modules[Math.floor(x / scale)] === true) continue;
    const at = 1 + (x >> 3);
    line.writeUInt8(line.readUInt8(at) | (0x80 >> (x & 7)), at);
  }
  return line;
};

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
