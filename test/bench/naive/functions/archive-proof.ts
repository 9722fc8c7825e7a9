import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { provider } from '../../../../functions/runtime.ts';
import type { FollowedPayout } from './payout-record.ts';
import { followedPayout, updatePayout } from './payout-record.ts';

let client: S3Client | undefined;

/** Stores the transfer proof of one payout. */
export const handler = async (event: unknown): Promise<FollowedPayout> => {
  const payout = followedPayout.parse(event);
  const pdf = await provider().downloadProof(payout.disbursementId);
  if (pdf === undefined) throw new Error('a completed bank transfer has no proof');
  client ??= new S3Client({});
  const proof = `proofs/${payout.reference}.pdf`;
  await client.send(
    new PutObjectCommand({ Bucket: z.string().parse(process.env['NAIVE_BUCKET']), Key: proof, Body: pdf }),
  );
  await updatePayout(payout.reference, { proof });
  return { ...payout, next: 'done' };
};
