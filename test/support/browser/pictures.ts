import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { decodeQR } from 'qr/decode.js';
import * as z from 'zod';
import { localFolder } from '../../../infra/local/paths.ts';

const folder = path.join(localFolder, 'screenshots');

/** With `SCREENSHOTS=true`, keeps a screenshot for people to look at. `whole` includes the parts that need scrolling. */
export const keepPicture = async (page: Page, name: string, whole: 'whole' | 'window' = 'whole'): Promise<void> => {
  if (process.env['SCREENSHOTS'] !== 'true') return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({
    path: path.join(folder, `${name}.png`),
    fullPage: whole === 'whole',
    animations: 'disabled',
  });
};

const pixels = z.object({ width: z.number(), height: z.number(), data: z.string() });

/** Draws a PNG and reads its pixels in the browser, because nothing else here decodes PNG. */
const readPixels = (png: string): string => `(async () => {
  const image = new Image();
  image.src = 'data:image/png;base64,${png}';
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height);
  const drawing = canvas.getContext('2d');
  drawing.drawImage(image, 0, 0);
  const { data, width, height } = drawing.getImageData(0, 0, image.width, image.height);
  let text = '';
  for (let at = 0; at < data.length; at += 4096) text += String.fromCharCode(...data.subarray(at, at + 4096));
  return { width, height, data: btoa(text) };
})()`;

/** The text of the QR code on the screen, read from a screenshot of it. */
export const readQrCode = async (person: BrowserContext, code: Locator): Promise<string> => {
  const photograph = await code.screenshot();
  const blank = await person.newPage();
  const { data, ...size } = pixels.parse(await blank.evaluate(readPixels(photograph.toString('base64'))));
  await blank.close();
  return decodeQR(
    { ...size, data: Buffer.from(data, 'base64') },
    { effort: Number.POSITIVE_INFINITY, timeLimit: 10_000 },
  );
};
