import type { FileRefused } from '../../fields.ts';
import { refuseFile } from '../../fields.ts';

/** What is left to do with a workbook that is too large for one. */
export const saveAsCsv = 'Save the sheet as "CSV UTF-8" and upload that.';

export const tooLarge = (what: string): FileRefused => refuseFile('workbook_too_large', `${what} ${saveAsCsv}`);

/** Nothing of a damaged workbook is paid, since another part of it may be damaged unseen. */
export const damaged = (): FileRefused =>
  refuseFile('workbook_damaged', 'The workbook is damaged. Open it, save it as .xlsx again, and upload that.');

export const wrongKind = (what: string): FileRefused =>
  refuseFile('workbook_wrong_kind', `This is ${what}. Open it, save it as an Excel workbook (.xlsx), and upload that.`);

/** A password makes another file of a workbook; so does the protection of a whole zip. */
export const locked = (): FileRefused =>
  refuseFile('workbook_locked', 'The workbook has a password. Save it without one, and upload that.');
