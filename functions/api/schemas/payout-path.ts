import * as z from 'zod';

/** Stands for `:` in a path, because AWS encodes a colon and some signers do not. No reference contains `~`. */
const colon = '~';

/** Some encoders, such as Java's URLEncoder, encode `~`. */
const colons = /~|%7e/gi;

/** The path of a payout, in characters that every signer signs alike. */
export const payoutPath = (reference: string): string =>
  `/payouts/${encodeURIComponent(reference.replaceAll(':', colon))}`;

export const payoutParameters = z.object({
  reference: z
    .string()
    .min(1)
    .max(1024)
    .overwrite((written) => written.replaceAll(colons, ':'))
    .meta({
      description: 'URL-encoded. Write `~` for `:`, which curl 7 and some other signers cannot sign in a path.',
      example: 'salary-2026-01-0007',
    }),
});
