import { describe, expect, it } from 'vitest';
import {
  debtsKeptUntil,
  isPausedForLong,
  isTooOldToPay,
  payableUntil,
} from '../../../../functions/domain/batch/payable-until.ts';
import { orchestratorSettings } from '../../../../functions/domain/settings.ts';
import { plan } from '../../api/fixtures.ts';

const now = Date.parse('2026-01-05T09:00:00Z');

describe('the time in which a batch may be paid', () => {
  it.each([
    ['of a batch that starts immediately', {}, {}, '2026-02-10T09:00:00.000Z'],
    ['after a start time, in its own offset', { startAt: '2026-03-05T06:00:00+07:00' }, {}, '2026-04-09T23:00:00.000Z'],
    ['after a start time that has come meanwhile', { startAt: '2026-01-05T08:59:00Z' }, {}, '2026-02-10T09:00:00.000Z'],
    ['where an approval may take a year', {}, { approvalHours: 8760 }, '2027-02-07T09:00:00.000Z'],
    ['where an approval may take minutes', {}, { approvalHours: 0.5 }, '2026-02-07T09:30:00.000Z'],
    ['where funds are awaited for a year', {}, { fundsWaitHours: 8760 }, '2027-02-07T09:00:00.000Z'],
  ])('%s is thirty days and the hours for approval and funds', (_, batch, settings, until) => {
    expect(payableUntil(batch, now, orchestratorSettings().parse(settings))).toBe(until);
  });

  it.each([
    [{}, '2026-01-19T09:00:00.000Z'],
    [{ followDays: 0.5, duplicateWindowDays: 1 }, '2026-01-06T21:00:00.000Z'],
  ])('is followed by days of following and of the window, %j, for which debts are kept', (settings, until) => {
    const parsed = orchestratorSettings().parse({ pollMaxSeconds: 60, onHoldFollowMinutes: 60, ...settings });
    expect(debtsKeptUntil(new Date(now).toISOString(), parsed)).toBe(until);
  });

  it.each([
    [0, false],
    [1, true],
  ])('is over %i ms after its last moment: %s', (afterMs, isOver) => {
    const payable = { plan: { ...plan, payableUntil: new Date(now).toISOString() } };
    expect(isTooOldToPay(payable, now + afterMs)).toBe(isOver);
  });

  it.each([
    [7 * 24 * 3600, false],
    [7 * 24 * 3600 - 1, true],
  ])('is nearly over %i seconds before its last moment: %s', (secondsLeft, isNearlyOver) => {
    const payable = { plan: { ...plan, payableUntil: new Date(now + secondsLeft * 1000).toISOString() } };
    expect(isPausedForLong({ ...payable, statusSince: new Date(now).toISOString() }, now)).toBe(isNearlyOver);
  });

  it.each([
    [23 * 24 * 3600, false],
    [23 * 24 * 3600 + 1, true],
  ])('without an end, asks for a reminder %i seconds after the pause: %s', (seconds, isLong) => {
    const statusSince = new Date(now - seconds * 1000).toISOString();
    expect(isPausedForLong({ plan, statusSince }, now)).toBe(isLong);
    expect(isPausedForLong({ statusSince }, now)).toBe(isLong);
  });

  it('has no end for a batch whose debts are not recorded', () => {
    expect(isTooOldToPay({ plan }, now)).toBe(false);
    expect(isTooOldToPay({}, now)).toBe(false);
  });
});
