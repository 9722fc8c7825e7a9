import type { Payout } from '../../domain/payout/payout.ts';
import { openContradictions } from '../../domain/payout/payout.ts';
import type { PayoutWayOut, WayOut } from '../schemas/payout.ts';
import { payoutPath } from '../schemas/payout-path.ts';
import { decisionsOn } from '../settle/decide-settlement.ts';

const messages: Partial<Readonly<Record<Payout['status'] | 'contradicted', string>>> = {
  unknown:
    'A call was not answered; the provider is being asked by reference, for a quarter of an hour or until it answers. ' +
    'No action is needed. To ask now, settle it as_provider_says.',
  on_hold:
    'The provider holds it for a check, and only it can release it. Ask the provider. Its decision arrives by itself ' +
    'while the batch runs. To look now, settle it as_provider_says.',
  quarantined:
    'It is not known whether it was paid, and it is not submitted again. Find out at the provider, by the reference, ' +
    'then settle it: as_provider_says, not_paid, paid or written_off. Once the batch has ended, resuming it asks the provider again.',
  contradicted:
    'The provider contradicts what is recorded of it (contradictions). The record stays, and nothing pays it again. Look at ' +
    'the provider. Claim back what was paid twice. What came back unpaid may be paid in a separate file under a new ' +
    'reference. Then settle it as noted.',
};

/** What to do about a payout that is stuck or contradicted. infra/RUNBOOK.md says the same. */
export const adviceOnPayout = (payout: Payout): PayoutWayOut | undefined => {
  const { status, reference, batchId } = payout;
  const isContradicted = openContradictions(payout).length > 0;
  const what = messages[status] === undefined && isContradicted ? 'contradicted' : status;
  const message = messages[what];
  if (message === undefined) return undefined;
  const resume = status === 'quarantined' ? [`POST /batches/${batchId}/resume`] : [];
  const requests = [`POST ${payoutPath(reference)}/settle`, ...resume];
  return { code: `payout_${what}`, message, requests, decisions: decisionsOn(payout) };
};

/** What to do about a conversion whose outcome is unknown. */
export const adviceOnConversion = (batchId: string, n: number): WayOut => ({
  code: 'conversion_in_doubt',
  message:
    `Conversion ${n} was never answered. It is not made again, and no other batch converts the same pair meanwhile. Look it ` +
    'up at the provider, then settle it: happened or not_happened.',
  requests: [`POST /batches/${batchId}/conversions/${n}/settle`],
});
