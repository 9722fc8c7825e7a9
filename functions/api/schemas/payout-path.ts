import * as z from 'zod';

/** Stands for `:` in a path, which some signers sign as it is, and AWS does not. No reference holds it. */
const colon = '~';

/** The path of a payout, in characters that every signer can sign. */
export const payoutPath = (reference: string): string =>
  `/payouts/${encodeURIComponent(reference.replaceAll(':', colon))}`;

export const payoutParameters = z.object({
  reference: z
    .string()
    .min(1)
    .max(1024)
    .overwrite((written) => written.replaceAll(colon, ':'))
    .meta({
      description: 'URL-encoded. A `~` stands for `:`, which curl 7 and some other signers cannot sign in a path.',
      example: 'salary-2026-01-0007',
    }),
});
