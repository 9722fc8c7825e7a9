/** A status and when it begins, in milliseconds. */
export type Step = { at: number; status: string };

type Lot = (what: string) => number;

/** A bank takes from 5 seconds to two minutes, and refuses 3%. */
export const fiatCourse = (lot: Lot): Step[] => {
  const end = 5_000 + Math.floor(lot('time') * 115_000);
  return [
    { at: 0, status: 'pending' },
    { at: end, status: lot('fate') < 0.03 ? 'failed' : 'completed' },
  ];
};

/**
 * A chain transfer is sent first and confirmed later. 2% fail, 1% are canceled, and 1% wait forever for a manual check by the
 * provider. 11% are retried once and complete.
 */
export const cryptoCourse = (lot: Lot): Step[] => {
  const sent = 3_000 + Math.floor(lot('time') * 20_000);
  const fate = lot('fate');
  const pending = { at: 0, status: 'pending' };
  if (fate < 0.01) return [pending, { at: sent, status: 'need_check' }];
  if (fate < 0.02) return [pending, { at: sent, status: 'canceled' }];
  if (fate < 0.04) return [pending, { at: sent, status: 'pending_retry' }, { at: sent * 2, status: 'failed' }];
  const retried = fate < 0.15 ? [{ at: sent, status: 'pending_retry' }] : [];
  return [pending, ...retried, { at: sent * 2, status: 'processed' }, { at: sent * 3, status: 'completed' }];
};
