import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Texts whose contrast with their background is below 4.5, as WCAG 2 measures it. */
const tooFaint = `(() => {
  const parts = (color) => color.match(/[\\d.]+/g).map(Number);
  const light = (color) => parts(color).slice(0, 3)
    .map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
  const behind = (element) => {
    for (let one = element; one !== null; one = one.parentElement) {
      const color = getComputedStyle(one).backgroundColor;
      if ((parts(color)[3] ?? 1) > 0.99) return color;
    }
    return 'rgb(255, 255, 255)';
  };
  const hasText = (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== '');
  return [...document.querySelectorAll('body *')]
    .filter((element) => element.getClientRects().length > 0 && hasText(element))
    .flatMap((element) => {
      const [text, ground] = [light(getComputedStyle(element).color), light(behind(element))];
      const contrast = (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05);
      return contrast < 4.5 ? [contrast.toFixed(2) + ' ' + element.textContent.trim().slice(0, 40)] : [];
    });
})()`;

const tooLow = (pixels: number): string => `[...document.querySelectorAll('a, button, input, select')]
  .filter((one) => one.getClientRects().length > 0 && one.getBoundingClientRect().height < ${pixels})
  .map((one) => one.textContent || one.name)`;

/** Checks that nothing exceeds the window's width, that all text is readable, and that clickable elements have this height. */
export const expectLegible = async (page: Page, pixels: number): Promise<void> => {
  expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  expect(await page.evaluate<string[]>(tooFaint)).toEqual([]);
  expect(await page.evaluate<string[]>(tooLow(pixels))).toEqual([]);
};
