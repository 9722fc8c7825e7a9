/** The statuses that end a batch, listed apart from the product's own table. */
export const batchEnds: readonly string[] = [
  'validation_failed',
  'previewed',
  'completed',
  'partially_completed',
  'failed',
  'canceled',
];
