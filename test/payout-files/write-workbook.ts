import type { Chance } from '../support/chance.ts';
import type { Cell } from '../support/workbook.ts';
import { number, workbook } from '../support/workbook.ts';
import type { TypedRow } from './write-rows.ts';
import { drawColumns, spelled, typed } from './write-rows.ts';

/** Escapes characters that XML cannot contain or reads as others, as a spreadsheet does. */
export const escaped = (text: string): string =>
  text.replaceAll(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: those are escaped
    /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/g,
    (unit) => `_x${unit.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}_`,
  );

/** True for a decimal that a spreadsheet shows unchanged. */
const isShown = (text: string): boolean =>
  /^(0|[1-9]\d*)(\.\d*[1-9])?$/.test(text) && text.replaceAll(/\D/g, '').length <= 15;

/** Excel writes 17 digits of a number, other programs as few as identify it. */
const amountCell = (chance: Chance, text: string): Cell =>
  isShown(text) && chance.happens(0.6) ? number(chance.pick([text, Number(text).toPrecision(17)])) : escaped(text);

/** A workbook of the rows. */
export const writeWorkbook = (chance: Chance, rows: readonly TypedRow[]): Buffer => {
  const names = drawColumns(chance, rows);
  const sheet: Cell[][] = [names.map((name) => spelled(chance, name))];
  const hidden: number[] = [];
  for (const row of rows) {
    if (chance.happens(0.05)) sheet.push(chance.pick([[], ['  '], names.map(() => undefined)]));
    const cells = names.map((name): Cell => {
      const xml = row.workbook?.cells?.[name];
      if (xml !== undefined) return { xml };
      const text = typed(chance, row.cells, name);
      if (text === undefined) return chance.happens(0.1) ? '' : undefined;
      return name === 'amount' ? amountCell(chance, text) : escaped(text);
    });
    sheet.push(row.workbook?.isWider === true ? [...cells, undefined, 'checked'] : cells);
    if (row.workbook?.isHidden === true) hidden.push(sheet.length);
  }
  const withHidden = (xml: string): string =>
    hidden.reduce((text, at) => text.replace(`<row r="${at}"`, `<row r="${at}" hidden="1"`), xml);
  return workbook(sheet, { isShared: chance.happens(0.5), sheet: withHidden });
};
