import type { Batch } from '../domain/batch/batch.ts';
import type { BatchStatus } from '../domain/batch/batch-status.ts';
import { batchStatusIs, pausedByOperator } from '../domain/batch/batch-status.ts';
import { describeCode } from '../domain/batch/batch-status-text.ts';
import { describeApprover, whyNobodyDecides } from '../domain/batch/caller.ts';
import type { CurrencyPlan } from '../domain/batch/plan.ts';
import { talliesOfPlanned } from '../domain/batch/planned-tallies.ts';
import type { Progress } from '../domain/batch/progress.ts';
import { countIn, countMissingProofs } from '../domain/batch/progress.ts';
import { countSkipped } from '../domain/batch/skipped-rows.ts';
import type { CloudEvent } from '../domain/events/cloud-event.ts';
import { formatAmount, formatCount, plural } from '../domain/money/format-money.ts';
import type { Tally } from '../domain/money/tally.ts';
import { sumIn } from '../domain/money/tally.ts';
import type { PayoutStatus } from '../domain/payout/payout-status.ts';
import { payoutStatuses, payoutStatusIs } from '../domain/payout/payout-status.ts';
import { adviceOnLeftOut, retryName } from '../domain/payout/retries.ts';
import { controlTotalsDifferCode } from '../domain/payout-file/control-totals.ts';
import {
  alreadyPaidCode,
  moreThanSkippedCode,
  notReleasedCode,
  sameContentCode,
  toCorrectName,
  tooManyCorrectionsCode,
} from '../domain/report/corrections.ts';

/** A text for people: an email, or a chat message. Contains neither personal data nor texts that people wrote. */
interface Notice {
  /** ASCII, a single line of at most 99 characters: SNS's limits. */
  readonly subject: string;
  readonly message: string;
}

/** Why people are notified. */
type Occasion = 'ended' | 'paused' | 'awaits_approval' | 'awaits_funds';

type BatchData = Extract<CloudEvent['data'], { readonly counts?: unknown }>;

/** Returns the data of a batch's event; undefined for a payout's event. */
export const batchDataOf = ({ data }: CloudEvent): BatchData | undefined => ('reference' in data ? undefined : data);

/** Undefined when nobody needs a notice: the batch is under way, or was paused by a person. */
export const occasionOf = ({ status, reason }: Pick<BatchData, 'status' | 'reason'>): Occasion | undefined => {
  if (batchStatusIs(status, 'isEnd')) return 'ended';
  if (batchStatusIs(status, 'isPaused')) return reason === pausedByOperator ? undefined : 'paused';
  if (batchStatusIs(status, 'awaitsApproval')) return 'awaits_approval';
  return batchStatusIs(status, 'awaitsFunds') ? 'awaits_funds' : undefined;
};

const groups = ['paid', 'not paid', 'waits for a person', 'on the way', 'not submitted yet'] as const;

const groupOf = (status: PayoutStatus): (typeof groups)[number] => {
  if (status === 'completed') return 'paid';
  if (status === 'ready') return 'not submitted yet';
  if (payoutStatusIs(status, 'isEnd')) return 'not paid';
  return payoutStatusIs(status, 'isNews') ? 'waits for a person' : 'on the way';
};

const statusesOf = (group: (typeof groups)[number]) => payoutStatuses.filter((status) => groupOf(status) === group);

const inWords = ({ count, amount }: Pick<Tally, 'count' | 'amount'>): string =>
  `${formatAmount(amount)} in ${formatCount(count)} ${plural(count, 'payout')}`;

/** What became of a currency's money. A batch that has ended without a registered payout pays none of it. */
const partsOf = (planned: CurrencyPlan, batch: Batch, progress: Progress): readonly string[] => {
  if (progress.payouts === 0) {
    const isOver = batch.mode === 'disburse' && batchStatusIs(batch.status, 'isEnd');
    return [`${isOver ? 'not paid' : 'to pay'}: ${inWords(planned)}`];
  }
  const tallies = talliesOfPlanned(batch, planned, progress);
  return groups.flatMap((group) => {
    const sum = sumIn(planned.currency, tallies, statusesOf(group));
    return sum.count === 0 ? [] : [`${group}: ${inWords(sum)}`];
  });
};

const moneyLines = (batch: Batch, progress: Progress): readonly string[] => {
  const planned = batch.plan?.currencies ?? [];
  const lines = planned.map((one) => `  ${one.currency}  ${partsOf(one, batch, progress).join('; ')}`);
  const skipped = batch.plan?.invalidRows ?? 0;
  return [
    ...(lines.length === 0 ? [] : ['Money:', ...lines]),
    ...(skipped === 0 ? [] : [`Rows of the file with errors: ${formatCount(skipped)}`]),
  ];
};

/** The next steps for a person, by the status in which a batch ended. Statuses without an entry need nobody. */
const afterEnd: Partial<Record<BatchStatus, string>> = {
  validation_failed:
    'Nothing was paid. See the reason of the batch, and errors.csv if there is one. Correct what they name, and start again.',
  previewed: 'Nothing was paid: it was a preview. If it is as it should be, start the file.',
  partially_completed: 'Not everybody was paid. results.csv says who was not, and why.',
  failed: 'Nobody was paid. results.csv says why.',
  canceled:
    'What was not submitted before the cancellation is not paid. If there is a results.csv, it shows who was paid.',
};

/** The next steps after a refusal, by the reason's code, where the rows of the file are not what is wrong. */
const afterRefusal: Readonly<Record<string, string>> = {
  [alreadyPaidCode]:
    "Nothing was paid again. The batch's reason names the batches that paid the same references, and when. If this file owes them again, give its rows references of their own.",
  [sameContentCode]:
    "Nothing was paid. The batch's reason names another batch with a file of the same content. Check whether that batch pays it.",
  [notReleasedCode]:
    "Nothing was paid, because nobody may release it. The batch's reason says why. Correct that, and start it again.",
  [controlTotalsDifferCode]:
    'Nothing was paid. The file is not what its start expected. Find out which is wrong. Start again with the right file, or the right expect.',
  [moreThanSkippedCode]:
    'Nothing was paid. This correction has more rows than are left to correct. Take out those that other batches pay, and start the rest.',
  [tooManyCorrectionsCode]:
    'Nothing was paid. No more corrections of that batch are accepted. Check that nobody in this file is paid already, then start it without corrects.',
};

const plannedAgain = 'Nothing. The conversion is planned again, and the batch goes on by itself.';
const noConversion =
  "The provider refuses the conversion, and the batch's reason quotes it. Ask the provider, or top up the currency that is short. The batch tries again by itself.";

/** The next steps of a batch that awaits funds, by the reason's code. */
const whileAwaitingFunds: Readonly<Record<string, string>> = {
  insufficient_balance: 'Top up the account, and the batch goes on by itself. Or cancel it.',
  balance_unclear: 'Nothing. Calls of other batches are not answered yet. The batch goes on by itself once they are.',
  provider_unavailable:
    "Nothing. The provider does not answer as it should, and the batch goes on by itself once it does. If it lasts, see the batch's reason, and ask the provider.",
  conversion_not_sent: plannedAgain,
  rate_moved: plannedAgain,
  conversion_refused: noConversion,
  conversion_rejected: noConversion,
  conversion_locked:
    "Settle the conversion that the batch's reason names: it locks the pair. Then the batch goes on by itself.",
  conversion_in_doubt:
    "Look its conversion up at the provider, and settle it as the batch's attention says. Then the batch goes on by itself.",
};

const inNeed = (count: number): string =>
  count === 1
    ? '1 payout waits for a person: ask the provider about it.'
    : `${formatCount(count)} payouts wait for a person: ask the provider about them.`;

/** A completed batch may have them too: money can come back days later. */
const ofContradicted = (count: number): string =>
  `The provider contradicts ${formatCount(count)} ${plural(count, 'payout')}. The batch's attention says what to do.`;

const ofLeftOut = (count: number): string =>
  `Ended unpaid, and in no retry file: ${formatCount(count)} ${plural(count, 'payout')}. ${adviceOnLeftOut}`;

const ofSkipped = (plan: Batch['plan']): string =>
  `${toCorrectName(plan) ?? 'errors.csv'} has the rows that were skipped as invalid. The batch's attention says how to correct them.`;

/** The provider had none when they were asked for. Resuming asks again. */
const ofMissingProofs = (count: number): string =>
  `Transfer proofs are missing: ${formatCount(count)}. Resume the batch to fetch them.`;

/** A batch that is being canceled cannot be resumed. Its workflow may have died. */
const cancelAgain =
  'Nothing more is submitted, because it is being canceled. If it does not end, correct the problem that the ' +
  "batch's reason names. Then cancel it again.";

const nextOf = (
  occasion: Occasion,
  { status, reason = '' }: BatchData,
  { createdBy, report, plan, cancelRequestedAt }: Batch,
  progress: Progress,
): readonly string[] => {
  switch (occasion) {
    case 'ended': {
      const retry = retryName(report);
      const waiting = countIn(progress.currencies, ...statusesOf('waits for a person'));
      const contradicted = progress.contradictions.payouts;
      const missingProofs = countMissingProofs(progress);
      const steps = [
        ...[afterRefusal[reason] ?? afterEnd[status]].filter((step) => step !== undefined),
        ...(retry === undefined ? [] : [`${retry} has the rows that failed, to correct and pay again.`]),
        ...(report?.leftOut === undefined ? [] : [ofLeftOut(report.leftOut)]),
        ...(countSkipped(plan) === 0 ? [] : [ofSkipped(plan)]),
        ...(waiting === 0 ? [] : [`${inNeed(waiting)} The batch's attention says how to go on.`]),
        ...(contradicted === 0 ? [] : [ofContradicted(contradicted)]),
        ...(missingProofs === 0 ? [] : [ofMissingProofs(missingProofs)]),
      ];
      return steps.length === 0 ? ['Nothing.'] : steps;
    }
    case 'paused':
      if (cancelRequestedAt !== undefined) return [cancelAgain];
      return [
        "Nothing more is paid until it is resumed. Correct the problem that the batch's reason names. Then resume it, or cancel it.",
      ];
    case 'awaits_approval':
      return [
        'Nothing is paid without approval.',
        whyNobodyDecides(createdBy) ?? `${describeApprover(createdBy)} must check the batch, and approve or reject it.`,
      ];
    case 'awaits_funds':
      return [
        whileAwaitingFunds[reason] ??
          "The batch's reason says what it waits for. It checks again by itself. Or cancel it.",
      ];
  }
};

const titleOf = (occasion: Occasion, batch: Batch, data: BatchData, progress: Progress): string => {
  const why = data.reason === undefined ? '' : ` (${describeCode(data.reason)})`;
  switch (occasion) {
    case 'ended': {
      const rows = batch.mode === 'preview' ? 0 : (batch.plan?.rows ?? 0);
      const paid = countIn(progress.currencies, 'completed');
      const paidOf = rows === 0 ? '' : `, ${formatCount(paid)} of ${formatCount(rows)} paid`;
      const contradicted = progress.contradictions.payouts;
      const against = contradicted === 0 ? '' : `, ${formatCount(contradicted)} contradicted`;
      const because = data.status === 'validation_failed' ? why : '';
      return `${describeCode(data.status)}${because}${paidOf}${against}`;
    }
    case 'paused':
      return `paused, needs a person${why}`;
    case 'awaits_approval':
      return 'awaits approval';
    case 'awaits_funds':
      return `awaits funds${why}`;
  }
};

/** The batch's files that show who was paid, and what is wrong with the other rows. */
const filesOf = ({ report, plan }: Batch): readonly string[] => [
  ...(report === undefined ? [] : ['results.csv']),
  ...[retryName(report), toCorrectName(plan)].filter((name) => name !== undefined),
  ...(plan?.errorsFile === undefined ? [] : ['errors.csv']),
];

/** SNS: fewer than 100 characters. */
const mostInSubject = 99;

/** Replaces everything but printable ASCII, because SNS refuses it. */
const asSubject = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, mostInSubject);

/**
 * Words an event as a notice: what happened, money by currency, what to do next, where to look. Undefined when people need no
 * notice.
 *
 * @param batch its latest state
 * @param apiUrl base URL of the operator API, without a trailing slash
 */
export const wordNotice = (event: CloudEvent, batch: Batch, progress: Progress, apiUrl: string): Notice | undefined => {
  const data = batchDataOf(event);
  const occasion = data === undefined ? undefined : occasionOf(data);
  if (data === undefined || occasion === undefined) return undefined;
  const { batchId } = batch;
  const title = titleOf(occasion, batch, data, progress);
  const byNow = batch.status === data.status ? [] : [`By now it is: ${describeCode(batch.status)}`];
  const money = moneyLines(batch, progress);
  return {
    subject: asSubject(`Payouts ${batchId}: ${title}`),
    message: [
      `Batch ${batchId}: ${title}.`,
      `When: ${event.time}`,
      ...byNow,
      ...(money.length === 0 ? [] : ['', ...money]),
      '',
      'What to do next:',
      ...nextOf(occasion, data, batch, progress).map((step) => `  ${step}`),
      '',
      'Where to look:',
      `  GET ${apiUrl}/batches/${batchId}`,
      ...filesOf(batch).map((name) => `  GET ${apiUrl}/batches/${batchId}/files/${name}`),
    ].join('\n'),
  };
};
