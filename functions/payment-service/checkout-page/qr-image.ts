import { crc32, deflateSync } from 'node:zlib';
import { encodeQR } from 'qr';

/** Pixels a module: sharp on a phone's display and large enough for a gallery. */
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

/** One line of pixels as PNG wants it: no filter, then a bit a pixel, 1 for white. */
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
 * A QR code as a PNG, its quiet zone of four modules in it. A PNG and no SVG, because wallet apps read a saved code from the
 * phone's gallery, which takes pixels only.
 *
 * @param text what it says, at most 2331 bytes
 */
export const qrImage = (text: string): Buffer => {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: 4 });
  const head = Buffer.alloc(13);
  head.writeUInt32BE(rows.length * scale, 0);
  head.writeUInt32BE(rows.length * scale, 4);
  // One bit a pixel, shades of grey; deflate, adaptive filters, not interlaced.
  head.set([1, 0, 0, 0, 0], 8);
  const pixels = Buffer.concat(rows.flatMap((row) => new Array<Buffer>(scale).fill(scanline(row))));
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(pixels, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};
