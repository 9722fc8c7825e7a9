import type { DisbursementStatus } from '../../domain/disbursements/disbursement.ts';
import { statusesOf } from '../../domain/disbursements/disbursement.ts';
import { setStatusByHand } from '../../domain/disbursements/lifecycle.ts';
import { conflictAttempts, conflictPause } from '../table.ts';
import type { ChangePorts } from './change-statuses.ts';
import { changeStatuses } from './change-statuses.ts';
import { findById } from './find-disbursement.ts';

export type SetStatus =
  | { readonly kind: 'set' }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'not_allowed'; readonly allowed: readonly DisbursementStatus[] }
  | { readonly kind: 'insufficient_balance' }
  | { readonly kind: 'busy' };

/** Sets a status by hand, money included, and has it announced. Decides anew when the disbursement moved meanwhile. */
export const setStatus = async (
  ports: ChangePorts,
  accountId: string,
  disbursementId: string,
  status: string,
): Promise<SetStatus> => {
  for (let tried = 0; tried < conflictAttempts; tried += 1) {
    const found = await findById(ports.table, accountId, disbursementId);
    if (found === undefined) return { kind: 'not_found' };
    const allowed = statusesOf(found.disbursement.rail);
    const wanted = allowed.find((one) => one === status);
    if (wanted === undefined) return { kind: 'not_allowed', allowed };
    const change = setStatusByHand(found.disbursement, wanted, ports.now());
    const outcome = await changeStatuses(ports, found.group, [change], true);
    if (outcome.kind === 'changed') return { kind: 'set' };
    if (outcome.kind === 'insufficient_balance') return outcome;
    await ports.pause(conflictPause(tried, ports.random));
  }
  return { kind: 'busy' };
};
