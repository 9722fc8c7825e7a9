/** The reasons why a quote cannot be used, as callers read them. */
export const quoteProblems = {
  not_found: 'Quote not found',
  expired: 'Quote has expired',
  used: 'Quote was already used',
} as const;
