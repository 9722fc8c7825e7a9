import { InvariantBroken } from '../../domain/errors.ts';

/** Epoch seconds after which DynamoDB may remove an item: this many days after a time in ISO 8601. It may remove it days late. */
export const expiresAfter = (at: string, days: number): number => {
  const seconds = Math.floor(Date.parse(at) / 1000) + days * 86_400;
  if (Number.isNaN(seconds)) throw new InvariantBroken('expiry_time_unreadable');
  return seconds;
};
