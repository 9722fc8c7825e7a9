import * as z from 'zod';
import { count } from './money.ts';
import { exampleHash, optionalText, text, time } from './text.ts';

export const fileLink = z
  .strictObject({
    url: text(
      'A presigned URL. Anyone who has it can read the file.',
      'https://bucket.s3.amazonaws.com/results.csv?X-Amz-Signature=0',
    ),
    expiresAt: time,
  })
  .meta({ id: 'FileLink' });
export type FileLink = z.infer<typeof fileLink>;

export const proofLink = fileLink
  .extend({
    sha256: text('SHA-256 of the archived PDF, in hex.', exampleHash),
    bytes: z.int().meta({ example: 2048 }),
  })
  .meta({ id: 'ProofLink' });

export const proofArchive = fileLink
  .extend({
    name: text(
      'A name for the file, with its batch. A part has its first row in the name too.',
      'proofs-b-01jgfjjz00e5x7b6nrw2m8k4vd.zip',
    ),
    asOf: time.meta({ description: 'Proofs archived later are not included.', example: '2026-01-05T10:00:00.000Z' }),
    proofs: count.meta({ description: 'PDFs in this part. Its `index.csv` lists the payout of each.', example: 98 }),
    altered: count.exactOptional().meta({
      description: 'Proofs left out because their files were changed or deleted. `index.csv` names them.',
      example: 1,
    }),
    cursor: optionalText('Send it back for the next part. Absent on the last one.', 'eyJjaHVuayI6MSwicm93Ijo5OH0'),
  })
  .meta({ id: 'ProofArchive', description: 'A ZIP of transfer proofs, at a URL that expires.' });
