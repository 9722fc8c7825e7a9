import { hash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { BatchView } from '../../../functions/api/schemas/batch.ts';
import { fileLink } from '../../../functions/api/schemas/file-links.ts';
import type { PayoutView } from '../../../functions/api/schemas/payout.ts';
import type { OperatorClient } from '../operator-client.ts';
import { PlainError } from '../plain-error.ts';

/**
 * Downloads the batch's reports and transfer proofs into a folder, and compares each proof's hash with the ledger's. Returns
 * the number of proofs.
 *
 * @throws PlainError when a link does not open, or a proof differs from the archived one
 */
export const downloadResults = async (
  api: OperatorClient,
  bucket: string,
  batch: BatchView,
  payouts: readonly PayoutView[],
  folder: string,
): Promise<number> => {
  await mkdir(folder, { recursive: true });
  for (const name of batch.files) {
    const { url } = await api.ask({ method: 'GET', path: `/batches/${batch.batchId}/files/${name}` }, fileLink);
    const response = await fetch(url);
    if (!response.ok) throw new PlainError(`The link to ${name} returned ${response.status}.`);
    await writeFile(path.join(folder, name), Buffer.from(await response.arrayBuffer()));
  }
  const s3 = new S3Client();
  const proofs = payouts.flatMap(({ proof, reference }) => (proof === undefined ? [] : [{ ...proof, reference }]));
  if (proofs.length > 0) await mkdir(path.join(folder, 'proofs'), { recursive: true });
  for (const { key, sha256, reference } of proofs) {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
    const pdf = (await Body?.transformToByteArray()) ?? new Uint8Array();
    if (hash('sha256', pdf) !== sha256) {
      throw new PlainError(`The proof of ${reference} differs from the one that was archived.`);
    }
    await writeFile(path.join(folder, 'proofs', `${path.basename(reference)}.pdf`), pdf);
  }
  return proofs.length;
};
