import { buffer } from 'node:stream/consumers';
import { ZipPassThrough } from 'fflate';
import type { Payout } from '../payout/payout.ts';
import { csvReport } from './csv-report.ts';
import { streamedZip } from './streamed-zip.ts';

/** A completed bank transfer with a proof. */
export interface ProvenPayout {
  readonly payout: Payout;
  /** Undefined when the stored file was changed or deleted. */
  readonly pdf: Uint8Array | undefined;
}

const columns = ['file', 'row', 'reference', 'currency', 'amount', 'disbursementId', 'sha256', 'bytes', 'problem'];

/** Starts with the row, so that files sort like rows and no name begins with a point. No character can lead out of the folder. */
const fileNameOf = ({ row, reference }: Payout): string =>
  `${String(row).padStart(7, '0')}-${reference.replaceAll(/[^A-Za-z0-9._-]/g, '_')}.pdf`;

const indexLine = (payout: Payout, isWhole: boolean): readonly string[] => {
  const { row, reference, amount, disbursementId = '', proof } = payout;
  const file = isWhole ? fileNameOf(payout) : '';
  const problem = isWhole ? '' : 'The archived file was changed or deleted.';
  const [sha256, bytes] = [proof?.sha256 ?? '', String(proof?.bytes ?? '')];
  return [file, String(row), reference, amount.currency, amount.amount, disbursementId, sha256, bytes, problem];
};

/**
 * Writes a ZIP of proofs, one PDF at a time. Files are stored, because PDFs are already compressed. The last file, index.csv,
 * lists each proof's payout and hash. An altered or deleted proof is left out, and the index says so. No file name shows the
 * recipient.
 *
 * @param at modification time of its files
 */
export async function* proofArchive(proofs: AsyncIterable<ProvenPayout>, at: Date): AsyncGenerator<Uint8Array> {
  const zip = streamedZip();
  const add = (name: string, content: Uint8Array): void => zip.add(new ZipPassThrough(name), at).push(content, true);
  const index = csvReport(columns);
  for await (const { payout, pdf } of proofs) {
    if (pdf !== undefined) add(fileNameOf(payout), pdf);
    index.write(indexLine(payout, pdf !== undefined));
    yield* zip.take();
  }
  index.end();
  add('index.csv', await buffer(index));
  zip.end();
  yield* zip.take();
}
