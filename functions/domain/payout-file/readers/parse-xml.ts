import type { SaxesOptions, SaxesParser, TagForOptions } from 'saxes';
import { FileRefused } from '../fields.ts';
import { utf8Decoder } from './unpack.ts';

/** Receives the elements and texts of an XML file, in order. Comments and processing instructions are left out. */
export interface XmlHandlers<Tag> {
  readonly open: (tag: Tag) => void;
  readonly text: (text: string) => void;
  readonly close: (tag: Tag) => void;
}

/** What is wrong with an XML file. `open`: it ends too early. `broken`: it is not well-formed in any other way. */
export type XmlFault = 'doctype' | 'encoding' | 'bytes' | 'deep' | 'long' | 'broken' | 'open';

interface XmlRules {
  /** Most characters in which no tag or text ends, nor any of `others`. */
  readonly longest: number;
  /**
   * A parser with more than seven handlers is slow, because V8 then keeps its properties in a dictionary. With these two,
   * a workbook took twice as long.
   */
  readonly others?: readonly ('comment' | 'processinginstruction')[];
  /** True when white space may come first. */
  readonly isTrimmed?: boolean;
  /** @param encoding the encoding that the file declares, for the fault of that name */
  readonly refuse: (fault: XmlFault, encoding?: string) => FileRefused;
}

/** Characters given to the parser at a time. The limits of one tag, text or comment are multiples of it. */
export const pieceLength = 65_536;

/** Deepest nesting of elements. A pain.001 has a dozen levels, a sheet half a dozen. */
const maxDepth = 64;

/**
 * Passes an XML file to the handlers, block by block, and yields after each piece. Refuses a file that exceeds the
 * limits, or is not well-formed UTF-8: a wrong byte may hide the end of a tag. Also refuses a DTD, so custom entities
 * cannot occur. Yields the refusal after the handlers have received what came before it, for the caller to throw.
 */
export async function* parseXml<Options extends SaxesOptions>(
  parser: SaxesParser<Options>,
  blocks: AsyncIterable<Buffer>,
  handlers: XmlHandlers<TagForOptions<Options>>,
  { longest, others = [], isTrimmed = false, refuse }: XmlRules,
): AsyncGenerator<FileRefused | undefined> {
  const decode = utf8Decoder();
  let mayBeSpace = isTrimmed;
  let depth = 0;
  let sinceEvent = 0;
  const pass = (): void => {
    sinceEvent = 0;
  };
  const addText = (text: string): void => {
    pass();
    handlers.text(text);
  };
  parser.on('doctype', () => {
    throw refuse('doctype');
  });
  parser.on('xmldecl', ({ encoding = 'utf-8' }) => {
    if (!/^utf-?8$/i.test(encoding)) throw refuse('encoding', encoding);
  });
  parser.on('opentag', (tag) => {
    pass();
    depth++;
    if (depth > maxDepth) throw refuse('deep');
    handlers.open(tag);
  });
  parser.on('closetag', (tag) => {
    pass();
    depth--;
    handlers.close(tag);
  });
  parser.on('text', addText);
  parser.on('cdata', addText);
  for (const event of others) parser.on(event, pass);

  let fault: XmlFault = 'broken';
  parser.on('error', () => {
    throw refuse(fault);
  });
  const refusalOf = (step: () => unknown): FileRefused | undefined => {
    try {
      step();
      return undefined;
    } catch (error) {
      // An error of a handler is no fault of the file.
      if (!(error instanceof FileRefused)) throw error;
      return error;
    }
  };
  const decoded = (block?: Buffer): string => {
    const text = decode(block);
    if (text === undefined) throw refuse('bytes');
    const begun = mayBeSpace ? text.trimStart() : text;
    mayBeSpace &&= begun === '';
    return begun;
  };
  for await (const block of blocks) {
    const text = decoded(block);
    for (let from = 0; from < text.length; from += pieceLength) {
      const piece = text.slice(from, from + pieceLength);
      sinceEvent += piece.length;
      yield refusalOf(() => parser.write(piece));
      if (sinceEvent > longest) throw refuse('long');
    }
  }
  fault = 'open';
  yield refusalOf(() => parser.write(decoded()).close());
}
