import type { Finding } from '../domain/batch/batch.ts';
import { approvalAbove } from './checks/approval-above.ts';
import { batchLimit } from './checks/batch-limit.ts';
import type { Check, CheckedBatch } from './checks/check.ts';
import { correctedAlready } from './checks/corrected-already.ts';
import { dayLimit } from './checks/day-limit.ts';
import { debtsContradicted } from './checks/debts-contradicted.ts';
import { debtsReleased } from './checks/debts-released.ts';
import { repeatedDebts } from './checks/repeated-debts.ts';
import { repeatsCorrected } from './checks/repeats-corrected.ts';
import { tooOldToPay } from './checks/too-old-to-pay.ts';

/** All checks, in the order in which a person reads their findings. */
const checks: readonly Check[] = [
  repeatedDebts,
  repeatsCorrected,
  correctedAlready,
  debtsReleased,
  debtsContradicted,
  tooOldToPay,
  batchLimit,
  dayLimit,
  approvalAbove,
];

export const findingsOf = (checked: CheckedBatch): readonly Finding[] =>
  checks.flatMap((check) => check(checked) ?? []);
