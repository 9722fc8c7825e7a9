import { SaxesParser } from 'saxes';
import { FileRefused } from '../../fields.ts';
import { damaged } from './refusals.ts';

/** Receives a part's elements and texts. Names come without their prefixes. */
interface XmlHandlers {
  readonly open: (name: string, attributes: Readonly<Record<string, string>>) => void;
  readonly text?: (text: string) => void;
  readonly close?: (name: string) => void;
}

/** Longest tag, text or comment. A cell has at most 32,767 characters. */
const maxPieceLength = 1_048_576;

/** Deepest nesting of elements. A sheet has half a dozen levels. */
const maxDepth = 64;

/** True when an attribute has a true value. */
export const isTrue = (text: string | undefined): boolean => text === '1' || text === 'true';

const localOf = (name: string): string => name.slice(name.indexOf(':') + 1);

/**
 * Passes a part's XML to the handlers, and yields after each block. Throws FileRefused when the XML is not well-formed
 * UTF-8, or has a DTD (so custom entities cannot occur).
 */
export async function* parseXml(blocks: AsyncIterable<Buffer>, handlers: XmlHandlers): AsyncGenerator<undefined> {
  const parser = new SaxesParser<{ position: false; xmlns: false }>({ position: false, xmlns: false });
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let depth = 0;
  let sinceEvent = 0;
  parser.on('doctype', () => {
    throw damaged();
  });
  parser.on('xmldecl', ({ encoding = 'utf-8' }) => {
    if (!/^utf-?8$/i.test(encoding)) throw damaged();
  });
  parser.on('opentag', ({ name, attributes }) => {
    sinceEvent = 0;
    depth++;
    if (depth > maxDepth) throw damaged();
    handlers.open(localOf(name), attributes);
  });
  parser.on('closetag', ({ name }) => {
    sinceEvent = 0;
    depth--;
    handlers.close?.(localOf(name));
  });
  const addText = (text: string): void => {
    sinceEvent = 0;
    handlers.text?.(text);
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  const parse = (step: () => unknown): void => {
    try {
      step();
    } catch (error) {
      throw error instanceof FileRefused ? error : damaged();
    }
  };
  for await (const block of blocks) {
    sinceEvent += block.length;
    parse(() => parser.write(decoder.decode(block, { stream: true })));
    if (sinceEvent > maxPieceLength) throw damaged();
    yield;
  }
  parse(() => parser.write(decoder.decode()).close());
  yield;
}

/** Passes a small part's XML to the handlers. */
export const readXml = async (blocks: AsyncIterable<Buffer>, handlers: XmlHandlers): Promise<void> => {
  const parsing = parseXml(blocks, handlers);
  while ((await parsing.next()).done !== true);
};
