import { payoutFields } from '../fields.ts';

/**
 * A CSV to fill in: the header without an example row, so that nothing unintended is paid. The byte order mark makes
 * Excel read and save it as UTF-8.
 */
export const templateCsv = (): Buffer => Buffer.from(`\ufeff${payoutFields.join(',')}\r\n`);
