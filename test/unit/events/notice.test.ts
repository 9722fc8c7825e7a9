import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { passingReasons } from '../../../functions/batches/await-funds.ts';
import type { Batch } from '../../../functions/domain/batch/batch.ts';
import type { BatchStatus, BatchTransition } from '../../../functions/domain/batch/batch-status.ts';
import { batchStatuses, batchTransitions } from '../../../functions/domain/batch/batch-status.ts';
import { consoleCaller } from '../../../functions/domain/batch/caller.ts';
import type { Progress } from '../../../functions/domain/batch/progress.ts';
import { sumProgress } from '../../../functions/domain/batch/progress.ts';
import { numberNews } from '../../../functions/domain/events/cloud-event.ts';
import type { News } from '../../../functions/domain/events/news.ts';
import { batchNews, payoutNews } from '../../../functions/domain/events/news.ts';
import type { PayoutStatus } from '../../../functions/domain/payout/payout-status.ts';
import { payoutStatuses } from '../../../functions/domain/payout/payout-status.ts';
import { adviceOnLeftOut } from '../../../functions/domain/payout/retries.ts';
import { wordNotice } from '../../../functions/events/notice.ts';
import { anyText } from '../../support/any-text.ts';
import { currencyPlan, tally } from '../../support/money.ts';
import { batch, payout, plan } from '../api/fixtures.ts';

const at = '2026-01-05T09:00:00.000Z';
const apiUrl = 'https://api.example/prod';
const none = sumProgress([], 0);

const eventOf = (news: News) => {
  const [event] = numberNews('b-1', { sequence: 4 }, [news]).events;
  if (event === undefined) throw new Error('no event');
  return event;
};
const moved = (transition: Pick<BatchTransition, 'event' | 'to'>, code?: string) =>
  eventOf(batchNews(at, transition, code === undefined ? undefined : { code, message: 'In a provider’s words.' }));

const progress: Progress = {
  ...none,
  payouts: 18,
  currencies: [
    { rail: 'fiat', currency: 'IDR', tallies: { completed: tally(12, '1250000.5'), failed: tally(1, '300') } },
    {
      rail: 'crypto',
      currency: 'usdt-tron',
      tallies: {
        completed: tally(4, '25.5', '0', 'usdt-tron'),
        on_hold: tally(1, '7.5', '0', 'usdt-tron'),
        pending: tally(1, '1', '0', 'usdt-tron'),
      },
    },
  ],
};

const planned: Batch = batch({ plan: { ...plan, rows: 20, invalidRows: 2 } });

describe('notices to people', () => {
  it('about a paused batch count the payouts that are not registered yet, in every planned currency', () => {
    const currencyOf = (currency: string, count: number, amount: string) =>
      currencyPlan({ rail: 'fiat', currency, count, amount, fee: '0', largestAmount: '100', methods: [] });
    const currencies = [currencyOf('IDR', 12, '1200'), currencyOf('PHP', 3, '45')];
    const paused: Batch = { ...planned, status: 'paused', plan: { ...plan, currencies } };
    const registered = { pending: tally(3, '300'), ready: tally(1, '100') };
    const begun: Progress = {
      ...none,
      payouts: 4,
      currencies: [{ rail: 'fiat', currency: 'IDR', tallies: registered }],
    };
    const moneyIn = (of: Batch, to: BatchTransition) =>
      wordNotice(moved(to, 'insufficient_balance'), of, begun, apiUrl)?.message.match(/^ {2}(IDR|PHP) .*$/gm);
    expect(moneyIn(paused, batchTransitions.pause)).toEqual([
      '  IDR  on the way: 300.00 in 3 payouts; not submitted yet: 900.00 in 9 payouts',
      '  PHP  not submitted yet: 45.00 in 3 payouts',
    ]);
    expect(moneyIn({ ...paused, status: 'canceled' }, batchTransitions.cancel)).toContain(
      '  PHP  not paid: 45.00 in 3 payouts',
    );
  });

  it('about an ended batch contain the outcome, money, the next step and links', () => {
    const report = { resultsKey: 'r', retryKey: 'y/retry.xlsx', evidenceKey: 'e', reportedAt: at };
    const ended: Batch = { ...planned, status: 'partially_completed', report };
    expect(wordNotice(moved(batchTransitions.completePartially), ended, progress, apiUrl)).toEqual({
      subject: 'Payouts b-1: partially completed, 16 of 20 paid',
      message: `Batch b-1: partially completed, 16 of 20 paid.
When: 2026-01-05T09:00:00.000Z

Money:
  IDR  paid: 1,250,000.50 in 12 payouts; not paid: 300.00 in 1 payout
  usdt-tron  paid: 25.500000 in 4 payouts; waits for a person: 7.500000 in 1 payout; on the way: 1.000000 in 1 payout
Rows of the file with errors: 2

What to do next:
  Not everybody was paid. results.csv says who was not, and why.
  retry.xlsx has the rows that failed, to correct and pay again.
  errors.csv has the rows that were skipped as invalid. The batch's attention says how to correct them.
  1 payout waits for a person: ask the provider about it. The batch's attention says how to go on.

Where to look:
  GET https://api.example/prod/batches/b-1
  GET https://api.example/prod/batches/b-1/files/results.csv
  GET https://api.example/prod/batches/b-1/files/retry.xlsx
  GET https://api.example/prod/batches/b-1/files/errors.csv`,
    });
  });

  /** People pay again what a mail calls not paid. */
  const groupOf: Readonly<Record<PayoutStatus, string>> = {
    ready: 'not submitted yet',
    submitting: 'on the way',
    pending: 'on the way',
    on_hold: 'waits for a person',
    unknown: 'on the way',
    quarantined: 'waits for a person',
    completed: 'paid',
    failed: 'not paid',
    canceled: 'not paid',
    rejected: 'not paid',
  };

  it.each(payoutStatuses)('say whether a payout that is %s is paid', (status) => {
    const tallies = { [status]: tally(1, '5') };
    const one: Progress = { ...none, payouts: 1, currencies: [{ rail: 'fiat', currency: 'IDR', tallies }] };
    const sums = {
      rail: 'fiat',
      currency: 'IDR',
      count: 1,
      amount: '5',
      fee: '0',
      largestAmount: '5',
      methods: [],
    } as const;
    const alone = batch({ status: 'partially_completed', plan: { ...plan, currencies: [currencyPlan(sums)] } });
    const notice = wordNotice(moved(batchTransitions.completePartially), alone, one, apiUrl);
    expect(notice?.message).toContain(`  IDR  ${groupOf[status]}: 5.00 in 1 payout`);
  });

  it('about a completed batch need nobody', () => {
    const completed = batch({ status: 'completed', plan: { ...plan, invalidRows: 0 } });
    const notice = wordNotice(moved(batchTransitions.complete), completed, none, apiUrl);
    expect(notice?.message).toContain('What to do next:\n  Nothing.\n');
  });

  it('about a completed batch name the proofs that are missing', () => {
    const completed = batch({ status: 'completed', plan: { ...plan, invalidRows: 0 } });
    const unproven: Progress = { ...none, proofs: { archived: 3, expected: 16 } };
    const notice = wordNotice(moved(batchTransitions.complete), completed, unproven, apiUrl);
    expect(notice?.message).toContain(
      'What to do next:\n  Transfer proofs are missing: 13. Resume the batch to fetch them.\n',
    );
  });

  it.each([
    [batchTransitions.completePartially, 2, '2 payouts'],
    [batchTransitions.cancel, 1, '1 payout'],
    [batchTransitions.fail, 1234, '1,234 payouts'],
  ])('about an ended batch name the payouts that no retry file has: %o, %i', (transition, leftOut, payouts) => {
    const report = { resultsKey: 'r', retryKey: 'y/retry.csv', evidenceKey: 'e', reportedAt: at, leftOut };
    const ended: Batch = { ...planned, status: transition.to, report };
    expect(wordNotice(moved(transition), ended, progress, apiUrl)?.message).toContain(
      `  retry.csv has the rows that failed, to correct and pay again.\n  Ended unpaid, and in no retry file: ${payouts}. ${adviceOnLeftOut}\n`,
    );
  });

  it('name the file in which skipped rows are corrected', () => {
    const toCorrect = { ...plan, toCorrectKey: 'k/to-correct.csv' };
    const ended = batch({ status: 'partially_completed', plan: toCorrect });
    const notice = wordNotice(moved(batchTransitions.completePartially), ended, progress, apiUrl);
    expect(notice?.message).toContain('  to-correct.csv has the rows that were skipped as invalid.');
    expect(notice?.message).toContain('/files/to-correct.csv\n');
  });

  it.each([
    [1, 'completed, 16 of 20 paid, 1 contradicted', 'The provider contradicts 1 payout. '],
    [1234, 'completed, 16 of 20 paid, 1,234 contradicted', 'The provider contradicts 1,234 payouts. '],
  ])('about a completed batch whose money came back say so: %i payouts', (payouts, title, next) => {
    const returned: Progress = { ...progress, contradictions: { recorded: payouts, payouts, since: at } };
    const completed: Batch = { ...planned, status: 'completed' };
    const notice = wordNotice(moved(batchTransitions.complete), completed, returned, apiUrl);
    expect(notice?.subject).toBe(`Payouts b-1: ${title}`);
    expect(notice?.message).toContain(`${next}The batch's attention says what to do.`);
    expect(notice?.message).not.toContain('Nothing.');
  });

  it.each([
    [batchTransitions.complete, undefined, 'completed, 16 of 20 paid', '1 payout waits for a person'],
    [
      batchTransitions.refuseFile,
      'file_invalid',
      'refused (file invalid), 16 of 20 paid',
      'and errors.csv if there is one',
    ],
    [
      batchTransitions.cancel,
      undefined,
      'canceled, 16 of 20 paid',
      'What was not submitted before the cancellation is not paid',
    ],
    [batchTransitions.halt, 'credentials_refused', 'paused, needs a person (credentials refused)', 'resume it'],
    [batchTransitions.askApproval, undefined, 'awaits approval', 'Someone other than the starter'],
    [batchTransitions.awaitFunds, 'insufficient_balance', 'awaits funds (insufficient balance)', 'Top up the account'],
    [batchTransitions.awaitFunds, 'other', 'awaits funds (other)', "The batch's reason says what it waits for"],
  ] as const)('about %o explain it, with the next step', (transition, code, title, next) => {
    const { to: status } = transition;
    const notice = wordNotice(moved(transition, code), { ...planned, status }, progress, apiUrl);
    expect(notice?.subject).toBe(`Payouts b-1: ${title}`);
    expect(notice?.message).toContain(next);
    expect(notice?.message).not.toContain('By now');
  });

  it.each([
    ['balance_unclear', 'Nothing. Calls of other batches are not answered yet'],
    ['provider_unavailable', 'Nothing. The provider does not answer as it should'],
    ['conversion_not_sent', 'Nothing. The conversion is planned again'],
    ['rate_moved', 'Nothing. The conversion is planned again'],
    ['conversion_refused', 'Ask the provider, or top up the currency'],
    ['conversion_rejected', 'Ask the provider, or top up the currency'],
    ['conversion_locked', "Settle the conversion that the batch's reason names"],
    ['conversion_in_doubt', 'Look its conversion up at the provider'],
  ])('do not begin with topping up the account: %s', (code, next) => {
    const waits: Batch = { ...planned, status: 'awaiting_funds' };
    const notice = wordNotice(moved(batchTransitions.awaitFunds, code), waits, none, apiUrl);
    expect(notice?.message).toContain(next);
    expect(notice?.message).not.toContain('Top up');
    expect(next.startsWith('Nothing.')).toBe(passingReasons.has(code));
  });

  it.each([
    ['not_released', 'Correct that, and start it again.'],
    ['control_totals_differ', 'Start again with the right file, or the right expect.'],
    ['more_than_skipped', 'Take out those that other batches pay'],
    ['too_many_corrections', 'start it without corrects'],
  ])('ask for no correction of a file whose rows are good: %s', (code, next) => {
    const refused: Batch = { ...planned, status: 'validation_failed', reason: { code, message: 'x' } };
    const notice = wordNotice(moved(batchTransitions.refuseFile, code), refused, none, apiUrl);
    expect(notice?.subject).toBe(`Payouts b-1: refused (${code.replaceAll('_', ' ')}), 0 of 20 paid`);
    expect(notice?.message).toContain(next);
    expect(notice?.message).not.toContain('Correct what they name');
  });

  it.each([
    ['already_paid', 'If this file owes them again, give its rows references of their own.'],
    ['same_content', 'Check whether that batch pays it'],
  ])('ask a person to check other batches: %s', (code, next) => {
    const refused: Batch = { ...planned, status: 'validation_failed', reason: { code, message: 'x' } };
    const notice = wordNotice(moved(batchTransitions.refuseFile, code), refused, none, apiUrl);
    expect(notice?.message).toContain(next);
    expect(notice?.message).not.toContain('Correct what they name');
  });

  it('name the approvers of a console’s batch, because its starter is unknown', () => {
    const begun: Batch = { ...planned, status: 'pending_approval', createdBy: consoleCaller };
    const notice = wordNotice(moved(batchTransitions.askApproval), begun, none, apiUrl);
    expect(notice?.message).toContain('Someone listed in the setting approvers must check the batch');
    expect(notice?.message).not.toContain('starter');
  });

  it('say that nobody can approve the batch of a session whose person is unknown', () => {
    const createdBy = 'arn:aws:sts::123456789012:federated-user/anybody';
    const notice = wordNotice(
      moved(batchTransitions.askApproval),
      { ...planned, status: 'pending_approval', createdBy },
      none,
      apiUrl,
    );
    expect(notice?.message).toContain('Nobody can approve or reject it');
    expect(notice?.message).toContain('Cancel it');
    expect(notice?.message).not.toContain('Someone other than the starter');
  });

  it('before payment contain the amounts to be paid', () => {
    const waits: Batch = { ...planned, status: 'pending_approval' };
    const notice = wordNotice(moved(batchTransitions.askApproval), waits, none, apiUrl);
    const [first] = plan.currencies;
    expect(notice?.message).toContain(`  ${first?.currency}  to pay: `);
  });

  it.each([
    [batchTransitions.halt, 'file_altered'],
    [batchTransitions.recordFailure, 'provider_misconfigured'],
  ])('about a batch that is being canceled do not advise to resume it: %o, %s', (transition, code) => {
    const canceling: Batch = { ...planned, status: 'paused', cancelRequestedAt: at };
    const notice = wordNotice(moved(transition, code), canceling, progress, apiUrl);
    expect(notice?.message).toContain('Then cancel it again.');
    expect(notice?.message).not.toContain('resume');
  });

  it.each([
    [batchTransitions.refuseRelease, 'disburse', 'not paid'],
    [batchTransitions.reject, 'disburse', 'not paid'],
    [batchTransitions.cancel, 'disburse', 'not paid'],
    [batchTransitions.preview, 'preview', 'to pay'],
  ] as const)(
    'about a batch that ended before anything was submitted, %o of mode %s, name its money as %s',
    (to, mode, words) => {
      const notice = wordNotice(moved(to), { ...planned, status: to.to, mode }, none, apiUrl);
      const [first] = plan.currencies;
      expect(notice?.message).toContain(`  ${first?.currency}  ${words}: `);
    },
  );

  it('contain the current status when they come late', () => {
    const notice = wordNotice(moved(batchTransitions.halt), { ...planned, status: 'processing' }, progress, apiUrl);
    expect(notice?.message).toContain('By now it is: being paid');
  });

  it('do not exist for batches in progress, pauses by a person, and payouts', () => {
    const quiet = [
      moved(batchTransitions.startProcessing),
      moved(batchTransitions.pause, 'paused_by_operator'),
      eventOf(payoutNews(at, payout({ status: 'pending' }), 'on_hold')),
    ];
    expect(quiet.map((event) => wordNotice(event, planned, progress, apiUrl))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('exist for every status in which a batch has ended or stopped', () => {
    const notified = batchStatuses.filter((status) =>
      wordNotice(moved({ event: 'batch.paused', to: status }), { ...planned, status }, progress, apiUrl),
    );
    const byItself: readonly BatchStatus[] = ['accepted', 'validating', 'scheduled', 'processing'];
    expect(notified).toEqual(batchStatuses.filter((status) => !byItself.includes(status)));
  });

  it('have a subject that SNS accepts for any reason, without quoted text', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 200 }), (code) => {
        const notice = wordNotice(moved(batchTransitions.halt, code), planned, progress, apiUrl);
        expect(notice?.subject).toMatch(/^[\x20-\x7e]{1,99}$/);
        expect(notice?.message).not.toContain('provider’s words');
        expect(notice?.message).not.toContain(planned.createdBy);
        expect(notice?.message).not.toContain(planned.file.key);
      }),
    );
  });
});
