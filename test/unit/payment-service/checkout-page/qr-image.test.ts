import { crc32, inflateSync } from 'node:zlib';
import { decodeQR } from 'qr/decode.js';
import { expect, it } from 'vitest';
import { qrImage } from '../../../../functions/payment-service/checkout-page/qr-image.ts';
import { qrData } from '../../../support/payment-service/deposits/checkout-views.ts';

/** The chunks of a PNG by type. Fails on a wrong checksum. */
const chunksOf = (png: Buffer): ReadonlyMap<string, Buffer> => {
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const named = png.subarray(at + 4, at + 8 + length);
    expect(png.readUInt32BE(at + 8 + length)).toBe(crc32(named));
    chunks.set(named.toString('latin1', 0, 4), named.subarray(4));
    at += length + 12;
  }
  return chunks;
};

/** The pixels of an unfiltered PNG with one bit per pixel, as red, green, blue and opacity. */
const pixelsOf = (png: Buffer) => {
  const chunks = chunksOf(png);
  const size = chunks.get('IHDR')?.readUInt32BE(0) ?? 0;
  const lines = inflateSync(chunks.get('IDAT') ?? Buffer.alloc(0));
  const data = new Uint8Array(size * size * 4).fill(255);
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      const byte = lines.readUInt8(y * (1 + Math.ceil(size / 8)) + 1 + (x >> 3));
      if (((byte >> (7 - (x & 7))) & 1) === 0) data.fill(0, (y * size + x) * 4, (y * size + x) * 4 + 3);
    }
  }
  return { width: size, height: size, data };
};

it.each([
  ['a payment', qrData],
  ['one letter', 'A'],
  ['other scripts', 'Kopi é 咖啡 ☕'],
  ['the longest text', 'x'.repeat(2331)],
])('a QR code can be scanned: %s', (_, text) => {
  expect(decodeQR(pixelsOf(qrImage(text)), { effort: Number.POSITIVE_INFINITY, timeLimit: 10_000 })).toBe(text);
});

it('a QR image has a white margin, which scanners need', () => {
  const { width, data } = pixelsOf(qrImage('A'));
  const firstDark = data.indexOf(0) / 4;
  expect([Math.floor(firstDark / width), Math.floor(firstDark % width)]).toEqual([32, 32]);
});

it('a QR image is small', () => {
  expect(qrImage(qrData).length).toBeLessThan(2000);
});
