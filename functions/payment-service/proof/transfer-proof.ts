import { buffer } from 'node:stream/consumers';
import type { Account } from '../domain/account.ts';
import type { Disbursement } from '../domain/disbursements/disbursement.ts';
import { fiatCurrencyOf } from '../domain/money/currencies.ts';
import type { Money } from '../domain/money/money.ts';
import { grouped } from '../domain/money/money-text.ts';
import PDFDocument from './pdfkit.mjs';

const ink = '#1c2733';
const faint = '#66737f';
const line = '#d8dee4';
const accent = '#0b6b4f';
const margin = 56;

/** Sizes of the rows' text. The smaller ones are for long texts in wide letters, so that a proof always has one page. */
const rowSizes = [10, 8, 6] as const;

/** `2026-11-21T06:02:50.123Z` is `21 November 2026, 06:02:50 UTC`. */
const readableTime = (iso: string): string =>
  `${new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(iso))}, ${iso.slice(11, 19)} UTC`;

/**
 * The text in characters that the PDF's built-in fonts have. Diacritics that they lack are removed (Nguyễn becomes
 * Nguyen). Other scripts become question marks; the record keeps the original.
 */
export const printable = (text: string): string =>
  text.replace(/[^\u0020-\u007e\u00a0-\u00ff]/gu, (letter) => {
    const base = letter.normalize('NFD').replace(/\p{M}/gu, '');
    return base === 'đ' ? 'd' : base === 'Đ' ? 'D' : /^[\u0020-\u007e]+$/.test(base) ? base : '?';
  });

/** A note can have 255 lines, and a proof has one page. Undefined when there is nothing to print. */
const oneLine = (note = ''): string | undefined => note.replaceAll(/\s+/g, ' ').trim() || undefined;

/** `PHP 1,250,000.50` */
const written = (amount: Money): string => `${amount.currency} ${grouped(amount)}`;

type Row = readonly [label: string, value: string];

/** The content of the proof from top to bottom, separate from its layout. */
export const proofSections = (
  account: Account,
  one: Disbursement,
): readonly (readonly [title: string, rows: Row[]])[] => {
  const bank = one.recipient.kind === 'bank' ? one.recipient.bank : undefined;
  const optional = (label: string, value: string | undefined): Row[] => (value === undefined ? [] : [[label, value]]);
  return [
    [
      'Recipient',
      [
        ...optional('Account name', bank?.accountName),
        ...optional('Account number', bank?.accountNumber),
        ...optional('Bank', bank === undefined ? undefined : `${bank.bankName} (${bank.bankCode})`),
        ...optional('Country', fiatCurrencyOf(one.amount.currency)?.country),
      ],
    ],
    [
      'Amount',
      [
        ['Transferred', written(one.amount)],
        ['Fee', written(one.fee)],
        ['Taken from the balance', written(one.amount.plus(one.fee))],
      ],
    ],
    [
      'Transfer',
      [
        ['Sender', account.organizationName],
        ['Disbursement', one.disbursementId],
        ...optional('Reference', one.reference),
        ...optional('Note', oneLine(one.note)),
        ['Created', readableTime(one.createdAt)],
        ['Completed', readableTime(one.completedAt ?? one.updatedAt)],
      ],
    ],
  ];
};

type Page = InstanceType<typeof PDFDocument>;

/** Sets the look of the text that follows. */
const look = (page: Page, color: string, size: number, font: 'Helvetica' | 'Helvetica-Bold' = 'Helvetica'): Page =>
  page.fillColor(color).font(font).fontSize(size);

const drawHead = (page: Page, account: Account, one: Disbursement, width: number): void => {
  page.rect(0, 0, page.page.width, 8).fill(accent);
  look(page, ink, 22, 'Helvetica-Bold').text('Transfer proof', margin, margin);
  look(page, faint, 10).text(printable(account.organizationName), { width });
  page.moveDown(1.6);
  const top = page.y;
  page.roundedRect(margin, top, width, 84, 6).fill('#f2f7f5');
  look(page, faint, 9).text('Amount transferred', margin + 20, top + 18);
  look(page, ink, 24, 'Helvetica-Bold').text(written(one.amount), margin + 20, top + 34, { width: width - 150 });
  const badge = margin + width - 118;
  page.roundedRect(badge, top + 29, 98, 26, 13).fill(accent);
  look(page, '#ffffff', 10, 'Helvetica-Bold').text('COMPLETED', badge, top + 38, { width: 98, align: 'center' });
  page.x = margin;
  page.y = top + 110;
};

/** A thin line across the page. */
const rule = (page: Page, y: number, width: number): void => {
  const end = margin + width;
  page.moveTo(margin, y).lineTo(end, y).lineWidth(0.6).stroke(line);
};

const drawSection = (page: Page, title: string, rows: readonly Row[], size: number, width: number): void => {
  look(page, accent, 11, 'Helvetica-Bold').text(title, margin, page.y);
  page.moveDown(0.4);
  for (const [label, value] of rows) {
    const top = page.y + 7;
    rule(page, page.y, width);
    look(page, faint, size).text(label, margin, top, { width: 150 });
    look(page, ink, size).text(printable(value), margin + 160, top, { width: width - 160 });
    page.y += 5;
  }
  page.moveDown(1.6);
};

const topOfFoot = (page: Page): number => page.page.height - margin - 26;

const drawFoot = (page: Page, { disbursementId }: Disbursement, width: number): void => {
  const top = topOfFoot(page);
  rule(page, top, width);
  const said = `Sandbox document: no money was moved at a bank. Made from the record of ${disbursementId}; valid unsigned.`;
  look(page, faint, 8).text(said, margin, top + 8, { width, height: 20 });
};

/** Draws all but the foot with rows of this size. `fits` when they end above the foot. */
const drawRows = (account: Account, one: Disbursement, size: number) => {
  const page = new PDFDocument({
    size: 'A4',
    margin,
    info: {
      Title: `Transfer proof ${one.disbursementId}`,
      Author: account.organizationName,
      CreationDate: new Date(one.completedAt ?? one.updatedAt),
    },
  });
  const firstPage = page.page;
  const width = firstPage.width - 2 * margin;
  drawHead(page, account, one, width);
  for (const [title, rows] of proofSections(account, one)) drawSection(page, title, rows, size, width);
  return { page, width, fits: page.page === firstPage && page.y <= topOfFoot(page) };
};

/** An A4 page with recipient, amount, times and ids of a transfer. The same record always gives the same bytes. */
export const drawTransferProof = (account: Account, one: Disbursement): Promise<Uint8Array> => {
  const [largest, ...smaller] = rowSizes;
  let drawn = drawRows(account, one, largest);
  for (const size of smaller) if (!drawn.fits) drawn = drawRows(account, one, size);
  const { page, width } = drawn;
  drawFoot(page, one, width);
  page.end();
  return buffer(page);
};
