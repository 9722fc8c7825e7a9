import { SaxesParser } from 'saxes';

import { FileRefused, refuseFile } from '../../fields.ts';

/** The parts of an XML file, in order. Comments and processing instructions are left out. */
export type XmlEvent =
  | {
      readonly kind: 'open';
      readonly name: string;
      readonly namespace: string;
      /** Line of the file, from 1. */
      readonly line: number;
      /** Attributes without a namespace, by name. */
      readonly attributes: ReadonlyMap<string, string>;
    }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'close' };

/** Characters given to the parser at a time. Also the limit of one tag, text or comment. */
const pieceLength = 65_536;

/** Deepest nesting of elements. A pain.001 has a dozen levels. */
const maxDepth = 64;

const noAttributes: ReadonlyMap<string, string> = new Map();

const malformed = (line: number) =>
  refuseFile('xml_malformed', 'The XML is broken here. Nothing after it can be read.', 0, line);

const endless = 'The XML is not closed: the file was cut off, or has a & that is not written as &amp;.';

/**
 * Parses an XML file into events, block by block. Throws FileRefused when the file is not well-formed or not UTF-8, or
 * has a DTD (so custom entities cannot occur), or larger pieces than any payout file.
 */
export async function* xmlEvents(blocks: AsyncIterable<Buffer>): AsyncGenerator<readonly XmlEvent[]> {
  const parser = new SaxesParser({ xmlns: true, position: false });
  let events: XmlEvent[] = [];
  let depth = 0;
  let sinceEvent = 0;
  const add = (event: XmlEvent): void => {
    sinceEvent = 0;
    events.push(event);
  };
  const pass = (): void => {
    sinceEvent = 0;
  };
  const addText = (text: string): void => add({ kind: 'text', text });
  parser.on('xmldecl', ({ encoding }) => {
    if (encoding === undefined || /^utf-?8$/i.test(encoding)) return;
    const message = `The XML says that its encoding is ${encoding.slice(0, 40)}. Export it as UTF-8 and upload it again.`;
    throw refuseFile('xml_encoding', message);
  });
  parser.on('doctype', () => {
    throw refuseFile('xml_doctype', 'The XML has a DOCTYPE. A pain.001 has none; take it out.');
  });
  parser.on('opentag', ({ local, uri, attributes }) => {
    depth++;
    if (depth > maxDepth) throw refuseFile('xml_malformed', 'The elements of the XML are nested too deeply.');
    const own = Object.values(attributes).filter((attribute) => attribute.uri === '' && attribute.local !== 'xmlns');
    const named = own.length === 0 ? noAttributes : new Map(own.map((attribute) => [attribute.local, attribute.value]));
    add({ kind: 'open', name: local, namespace: uri, line: parser.line, attributes: named });
  });
  parser.on('closetag', () => {
    depth--;
    add({ kind: 'close' });
  });
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('comment', pass);
  parser.on('processinginstruction', pass);

  /** The events of one step, and the refusal when the file cannot be read further. */
  const parse = (step: () => unknown, refusal: () => FileRefused) => {
    events = [];
    try {
      step();
      return { events };
    } catch (error) {
      return { events, refused: error instanceof FileRefused ? error : refusal() };
    }
  };
  for await (const text of decoded(blocks)) {
    for (let from = 0; from < text.length; from += pieceLength) {
      const piece = text.slice(from, from + pieceLength);
      sinceEvent += piece.length;
      const { events: found, refused } = parse(
        () => parser.write(piece),
        () => malformed(parser.line),
      );
      yield found;
      if (refused !== undefined) throw refused;
      if (sinceEvent > 2 * pieceLength)
        throw refuseFile(
          'xml_malformed',
          `A tag, text or comment of the XML is longer than ${pieceLength} characters.`,
        );
    }
  }
  const { events: found, refused } = parse(
    () => parser.close(),
    () => refuseFile('xml_malformed', endless),
  );
  yield found;
  if (refused !== undefined) throw refused;
}

/**
 * The text of the blocks, without leading white space. XML that is not UTF-8 is refused: a wrong byte may hide the end
 * of a tag.
 */
async function* decoded(blocks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isBegun = false;
  const textOf = (block?: Buffer): string => {
    try {
      const text = block === undefined ? decoder.decode() : decoder.decode(block, { stream: true });
      const begun = isBegun ? text : text.trimStart();
      isBegun ||= begun !== '';
      return begun;
    } catch {
      throw refuseFile('invalid_utf8', 'The XML has bytes that are not UTF-8. Export it as UTF-8 and upload it again.');
    }
  };
  for await (const block of blocks) yield textOf(block);
  yield textOf();
}
