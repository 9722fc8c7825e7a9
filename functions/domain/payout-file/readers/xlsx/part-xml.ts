import { SaxesParser } from 'saxes';
import { parseXml } from '../parse-xml.ts';
import { damaged } from './refusals.ts';

/** Receives a part's elements and texts. Names come without their prefixes. */
interface PartHandlers {
  readonly open: (name: string, attributes: Readonly<Record<string, string>>) => void;
  readonly text?: (text: string) => void;
  readonly close?: (name: string) => void;
}

/** `longest` is the most characters of one tag, text or comment. A cell has at most 32,767. */
const rules = { longest: 1_048_576, refuse: damaged };

/** True when an attribute has a true value. */
export const isTrue = (text: string | undefined): boolean => text === '1' || text === 'true';

const localOf = (name: string): string => name.slice(name.indexOf(':') + 1);

/** Passes a part's XML to the handlers, and yields after each piece. Throws FileRefused when it cannot be read. */
export async function* parsePart(
  blocks: AsyncIterable<Buffer>,
  { open, text, close }: PartHandlers,
): AsyncGenerator<undefined> {
  const parser = new SaxesParser<{ position: false; xmlns: false }>({ position: false, xmlns: false });
  const handlers = {
    open: (tag: { name: string; attributes: Record<string, string> }) => open(localOf(tag.name), tag.attributes),
    text: (some: string) => text?.(some),
    close: (tag: { name: string }) => close?.(localOf(tag.name)),
  };
  for await (const refused of parseXml(parser, blocks, handlers, rules)) {
    if (refused !== undefined) throw refused;
    yield;
  }
}

/** Passes a small part's XML to the handlers. */
export const readPart = async (blocks: AsyncIterable<Buffer>, handlers: PartHandlers): Promise<void> => {
  const parsing = parsePart(blocks, handlers);
  while ((await parsing.next()).done !== true);
};
