import type { Payout } from '../../domain/payout/payout.ts';
import { payoutKey } from '../../domain/payout/payout.ts';
import type { PayoutId } from '../../ports/ledger/payout-ledger.ts';
import type { Needs } from '../../ports/needs.ts';

/** Reads payouts by payoutKey. Those that are not registered are left out. */
export const readPayouts = async (
  ledger: Needs<{ ledger: 'getPayouts' }>['ledger'],
  ids: readonly PayoutId[],
): Promise<ReadonlyMap<string, Payout>> =>
  new Map((await ledger.getPayouts(ids)).map((payout) => [payoutKey(payout), payout]));
