import type { FileRefused } from '../../fields.ts';
import { refuseFile } from '../../fields.ts';

/** @param what a sentence that says which limit the workbook exceeds */
export const tooLarge = (what: string, code: 'workbook_too_large' | 'zip_bomb' = 'workbook_too_large'): FileRefused =>
  refuseFile(code, `${what} Save the sheet as "CSV UTF-8" and upload that.`);

/** The whole workbook is refused, because other parts may be damaged unnoticed. */
export const damaged = (): FileRefused =>
  refuseFile('workbook_damaged', 'The workbook is damaged. Open it, save it as .xlsx again, and upload that.');

/** @param what the kind of file that it is, with its article */
export const wrongKind = (what: string): FileRefused =>
  refuseFile('workbook_wrong_kind', `This is ${what}. Open it, save it as an Excel workbook (.xlsx), and upload that.`);

/** For a workbook with a password (which is another kind of file), and for an encrypted zip. */
export const locked = (): FileRefused =>
  refuseFile('workbook_locked', 'The workbook has a password. Save it without one, and upload that.');
