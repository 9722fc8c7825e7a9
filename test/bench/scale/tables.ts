import { aligned, number } from '../tables.ts';
import type { OutageMeasure } from './measure-outage.ts';
import type { ScaleMeasure } from './measure-scale.ts';

export const scaleTable = ({ scale, 'scale.peakWritesPerSecond': peakWrites }: ScaleMeasure): string => {
  const { lateSeconds, reads, usd } = scale;
  return [
    `${number(scale.rows)} payouts in ${number(scale.calls)} calls on virtual time, ${number(scale.held)} of them held for days`,
    aligned([
      ['seconds until the last was sent', number(scale.sentSeconds)],
      ['write units in the busiest second', number(peakWrites)],
      ['in the busiest of the first five', number(scale.peakWritesAtStart)],
      ['hours until all that are not held have ended', number(scale.settledHours)],
      ['hours until the batch has ended', number(scale.endedHours)],
      ['seconds that a status is late: median', number(lateSeconds.median)],
      ['99 %', number(lateSeconds.p99)],
      ['the latest', number(lateSeconds.most)],
      ['sweeps', number(scale.sweeps)],
      ['interim reports', number(scale.interimReports)],
      ['proofs asked for', number(scale.proofs)],
      ['requests above the limit', number(scale.refused)],
      ['payouts without an end', number(scale.withoutEnd)],
    ]),
    '',
    'Reads until all that are not held had ended',
    aligned(Object.entries(reads).map(([what, count]) => [what, number(count)])),
    '',
    'USD per 1,000 payouts until then',
    aligned(Object.entries(usd).map(([what, amount]) => [what, amount.toFixed(5)])),
  ].join('\n');
};

/** Days, hours and minutes since the start. */
const since = (minutes: number): string => {
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24];
  return `${days} d ${hours.toString().padStart(2, '0')}:${Math.floor(minutes % 60)
    .toString()
    .padStart(2, '0')}`;
};

export const outageTable = ({ outage }: OutageMeasure): string => {
  const { othersPaidMinutes: others, heldPaidMinutes: held, timeline } = outage;
  return [
    `A payroll of ${number(outage.rows)} rows; the bank of ${number(outage.held)} of them is down for two days`,
    aligned([
      ['the others were paid after, median', since(others.median)],
      ['99 %', since(others.p99)],
      ['the last', since(others.last)],
      ['the first to the bank that was down', since(held.first)],
      ['the last', since(held.last)],
    ]),
    '',
    'What the operator saw or was notified of',
    ...timeline.map(({ minutes, what }) => `  ${since(minutes)}  ${what}`),
  ].join('\n');
};
