import { describe, expect, it } from 'vitest';
import { pageStyle } from '../../../../functions/payment-service/checkout-page/page-style.ts';

const [light, dark] = [...pageStyle.matchAll(/:root \{([^}]*)\}/g)].map(
  ([, colours = '']) =>
    new Map([...colours.matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g)].map(([, name = '', value = '']) => [name, value])),
);

/** Relative luminance as WCAG 2 defines it. */
const luminance = (colour: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

const contrast = (colours: ReadonlyMap<string, string> | undefined, text: string, ground: string): number => {
  const [low = 0, high = 0] = [text, ground].map((name) => luminance(colours?.get(name) ?? '#')).sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
};

const texts = [
  ['ink', 'card'],
  ['ink', 'tint'],
  ['faint', 'card'],
  ['faint', 'ground'],
  ['faint', 'tint'],
  ['accent', 'card'],
  ['accent', 'ground'],
  ['accent', 'tint'],
  ['on-accent', 'accent'],
  ['on-accent', 'accent-dark'],
  ['warn', 'warn-tint'],
  ['warn', 'card'],
  ['bad', 'bad-tint'],
] as const;

describe.each([
  ['light', light],
  ['dark', dark],
])('in %s colors', (_, colours) => {
  it.each(texts)('text in %s is readable on %s', (text, ground) => {
    expect(contrast(colours, text, ground)).toBeGreaterThanOrEqual(4.5);
  });

  it('edges of controls are visible against the card', () => {
    expect(contrast(colours, 'edge', 'card')).toBeGreaterThanOrEqual(3);
    expect(contrast(colours, 'accent', 'card')).toBeGreaterThanOrEqual(3);
  });
});
