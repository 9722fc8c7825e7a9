import type { SaxesTagNS } from 'saxes';
import { SaxesParser } from 'saxes';
import type { RowError } from '../../../batch/plan.ts';
import { fractionDigits, fromMinorUnits, toMinorUnits } from '../../../money/decimal.ts';
import { plural } from '../../../money/format-money.ts';
import type { FileRow } from '../../fields.ts';
import { FileRefused, refuseFile } from '../../fields.ts';
import type { XmlFault, XmlHandlers } from '../parse-xml.ts';
import { parseXml, pieceLength } from '../parse-xml.ts';
import { readDecimal } from './decimals.ts';
import { knownMessage } from './known-message.ts';
import type { RowOptions } from './payment-row.ts';
import { paymentRow } from './payment-row.ts';
import type { MessageName, TextName } from './schema.ts';
import { schemaOf } from './schema.ts';
import { walkBy } from './walk.ts';

type Texts = Map<TextName, string>;

/** A text of an element. Empty when the file has none, or an invalid one. */
const textIn = (texts: Texts, name: TextName): string => texts.get(name) ?? '';

/** The file's description of itself. */
const messageOf = (message: MessageName, header: Texts) => ({
  message,
  messageId: textIn(header, 'messageId'),
  createdAt: textIn(header, 'createdAt'),
  count: textIn(header, 'count'),
  sum: textIn(header, 'sum'),
});

/** The ids of a payment or of a transaction, as a pain.002 repeats them. */
export type Instruction =
  | readonly [paymentId: string]
  | readonly [instructionId: string, endToEndId: string, uetr: string];

/** What a pain.002 repeats of a part of a file. */
export interface Seen {
  /** Its texts are empty until the whole header was read. */
  readonly message: ReturnType<typeof messageOf>;
  /** In the order of the file. Each payment comes before its transactions, and each row has one transaction. */
  readonly instructions: readonly Instruction[];
}

export interface Pain001Options extends RowOptions {
  /** The day of payment, YYYY-MM-DD. */
  readonly paidOn: string;
  readonly seeInstructions: (seen: Seen) => Promise<void> | void;
}

/** Totals of transactions, to compare with those that a header states. */
const newTotals = () => ({
  count: 0,
  /** In units of the last decimal that an amount may have (`amountDecimals`). */
  sum: 0n,
});
const amountDecimals = 5;

/** Reading stops after this many errors. A program wrote the file, so every transaction has the same ones. */
const maxDifferences = 100;

/** Reads the transactions of one document. Collects what is wrong with the file, so that all of it is reported together. */
const documentReader = (name: MessageName, namespace: string, options: Pain001Options) => {
  const errors: RowError[] = [];
  let header: Texts = new Map();
  let payment: Texts = new Map();
  let texts: Texts = header;
  /** Lines where the last element and the transaction begin. */
  let elementLine = 0;
  let transactionLine = 0;
  let payments = 0;
  const fileTotals = newTotals();
  let paymentTotals = newTotals();
  let rows: FileRow[] = [];
  let message = messageOf(name, header);
  let instructions: Instruction[] = [];
  let isInTransaction = false;
  let isSumKnown = true;

  const refuse = (code: string, message: string, row = 0, where: Pick<RowError, 'line'> = {}): void => {
    if (errors.length < maxDifferences) errors.push({ row, ...where, column: '', code, message });
  };

  const compareTotals = (says: Texts, found: ReturnType<typeof newTotals>, where: string): void => {
    const differ = (message: string): void => refuse('xml_totals_differ', message);
    const [count, sum] = [says.get('count'), readDecimal(textIn(says, 'sum'))];
    if (count !== undefined && BigInt(count) !== BigInt(found.count))
      differ(
        `NbOfTxs of ${where} is ${BigInt(count)}, but it has ${found.count} ${plural(found.count, 'transaction')}.`,
      );
    if (sum === undefined || !isSumKnown) return;
    const is = fromMinorUnits(found.sum, amountDecimals);
    if (sum !== is) differ(`CtrlSum of ${where} is ${sum}, but its amounts add up to ${is}.`);
  };

  const addToTotals = (amount: string): void => {
    const decimal = readDecimal(amount);
    isSumKnown &&= decimal !== undefined && !decimal.startsWith('-') && fractionDigits(decimal) <= amountDecimals;
    if (decimal === undefined || !isSumKnown) return;
    const units = toMinorUnits(decimal, amountDecimals);
    fileTotals.sum += units;
    paymentTotals.sum += units;
  };

  const beginTransaction = (): void => {
    transactionLine = elementLine;
    isInTransaction = true;
    if (paymentTotals.count === 0) beginPayment();
    fileTotals.count++;
    paymentTotals.count++;
    texts = new Map();
  };

  const beginPayment = (): void => {
    instructions.push([textIn(payment, 'paymentId')]);
    const day = textIn(payment, 'executionDay').trim().slice(0, 10);
    if (day <= options.paidOn) return;
    const why = `Payment ${payments} (PmtInf) asks for ${day} as its day (ReqdExctnDt), and this file is paid on ${options.paidOn}. Start it with startAt on that day, or wait until then.`;
    refuse('execution_day_later', why, fileTotals.count + 1);
  };

  const endTransaction = (): void => {
    isInTransaction = false;
    addToTotals(texts.get('amount') ?? texts.get('equivalentAmount') ?? '');
    rows.push(paymentRow(fileTotals.count, transactionLine, texts, textIn(payment, 'method'), options));
    instructions.push([textIn(texts, 'instructionId'), textIn(texts, 'endToEndId'), textIn(texts, 'uetr')]);
  };

  const walk = walkBy(schemaOf(name), namespace, {
    begin: (mark) => {
      if (mark === 'transaction') beginTransaction();
      else if (mark === 'header') texts = header = new Map();
      else {
        payments++;
        texts = payment = new Map();
        paymentTotals = newTotals();
      }
    },
    take: (textName, text) => {
      if (!texts.has(textName)) texts.set(textName, text);
    },
    end: (mark) => {
      if (mark === 'transaction') endTransaction();
      else if (mark === 'header') message = messageOf(name, header);
      else compareTotals(payment, paymentTotals, `payment ${payments} (PmtInf)`);
    },
    differ: (why) => refuse('xml_schema', why, isInTransaction ? fileTotals.count : 0, { line: elementLine }),
  });

  return {
    ...walk,
    open: (tag: SaxesTagNS, onLine: number): void => {
      elementLine = onLine;
      walk.open(tag);
    },
    /** Returns the rows since the last call, and their part of a pain.002. */
    taken: () => {
      const read = { rows, seen: { message, instructions } };
      [rows, instructions] = [[], []];
      return read;
    },
    /** True when there are enough errors to stop. */
    isHopeless: () => errors.length === maxDifferences,
    /** Called after the whole document: throws FileRefused if anything is wrong with it. */
    end: (): void => {
      compareTotals(header, fileTotals, 'the file (GrpHdr)');
      if (errors.length > 0) throw new FileRefused(errors);
    },
  };
};

const faults: Readonly<Record<XmlFault, (encoding: string) => readonly [code: string, message: string]>> = {
  doctype: () => ['xml_doctype', 'The XML has a DOCTYPE. A pain.001 has none; take it out.'],
  encoding: (encoding) => [
    'xml_encoding',
    `The XML says that its encoding is ${encoding.slice(0, 40)}. Export it as UTF-8 and upload it again.`,
  ],
  bytes: () => ['invalid_utf8', 'The XML has bytes that are not UTF-8. Export it as UTF-8 and upload it again.'],
  deep: () => ['xml_malformed', 'The elements of the XML are nested too deeply.'],
  long: () => ['xml_malformed', `A tag, text or comment of the XML is longer than ${pieceLength} characters.`],
  broken: () => ['xml_malformed', 'The XML is broken here. Nothing after it can be read.'],
  open: () => [
    'xml_malformed',
    'The XML is not closed: the file was cut off, or has a & that is not written as &amp;.',
  ],
};

/**
 * Reads the rows of an ISO 20022 pain.001, one for each CdtTrfTxInf. Refuses the whole file when it differs from its
 * schema or its control totals, or asks for a later day. See PAIN-001.md.
 */
export async function* readPain001(
  blocks: AsyncIterable<Buffer>,
  options: Pain001Options,
): AsyncGenerator<readonly FileRow[]> {
  const parser = new SaxesParser<{ xmlns: true; position: false }>({ xmlns: true, position: false });
  const document: { reader?: ReturnType<typeof documentReader> } = {};
  const handlers: XmlHandlers<SaxesTagNS> = {
    open: (tag) => {
      document.reader ??= documentReader(knownMessage(tag.local, tag.uri), tag.uri, options);
      document.reader.open(tag, parser.line);
    },
    text: (text) => document.reader?.text(text),
    close: (tag) => document.reader?.close(tag),
  };
  const refuse = (fault: XmlFault, encoding = ''): FileRefused =>
    refuseFile(...faults[fault](encoding), 0, fault === 'broken' ? parser.line : undefined);
  const others = ['comment', 'processinginstruction'] as const;
  const rules = { longest: 2 * pieceLength, others, isTrimmed: true, refuse };
  for await (const refused of parseXml(parser, blocks, handlers, rules)) {
    const { reader } = document;
    if (reader !== undefined) {
      const { rows, seen } = reader.taken();
      await options.seeInstructions(seen);
      yield rows;
      if (reader.isHopeless()) break;
    }
    if (refused !== undefined) throw refused;
  }
  if (document.reader === undefined) throw refuseFile('xml_malformed', 'The XML has no element.');
  document.reader.end();
}
