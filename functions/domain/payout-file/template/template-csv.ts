import { payoutFields } from '../fields.ts';

/**
 * A CSV to fill in: its header and no row, so that nothing is paid of what was never written. The mark tells Excel that it is
 * UTF-8, and Excel saves it so again.
 */
export const templateCsv = (): Buffer => Buffer.from(`\ufeff${payoutFields.join(',')}\r\n`);
