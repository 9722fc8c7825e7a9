import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { batchStatusesThat } from '../../../functions/domain/batch/batch-status.ts';
import { errorNames } from '../../../functions/domain/errors.ts';
import { reasonForFailure } from '../../../functions/steps/record-failure.ts';
import { composed, resourcesOf } from '../../support/synthesized.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const runbook = readFileSync(`${root}/infra/RUNBOOK.md`, 'utf8');
const practice = readFileSync(`${root}/infra/PRACTICE.md`, 'utf8');

/** Returns the cells of each row of the tables with this first header, in sections with this title. */
const rowsUnder = (header: string, title = '') =>
  runbook
    .split(/^## /m)
    .filter((section) => section.startsWith(title))
    .flatMap((section) => {
      const [, table] = section.split(`\n| ${header} |`);
      const lines = (table?.split('\n\n')[0] ?? '').trim().split('\n').slice(2);
      return lines.map((line) => line.replace(/^\| | \|$/g, '').split(' | '));
    });

const rows = rowsUnder('you see');
const serviceRows = rowsUnder('you see', 'Payment service');

const eventWebhook = { url: 'https://merchant.example/hooks', secretName: 'merchant/events' };
const app = composed({ eventWebhook });
/** Alarm names as people see them. All `…Errors` alarms of single functions count as one. */
const alarmsOf = (stack: 'PayoutOrchestrator' | 'PaymentService') =>
  resourcesOf(app, stack)
    .filter(({ Type }) => Type === 'AWS::CloudWatch::Alarm')
    .map(({ logicalId }) =>
      logicalId.replace(/^Monitoring(.*)[0-9A-F]{8}$/, '$1').replace(/^\w+Errors$/, '<function>Errors'),
    );
const alarms = alarmsOf('PayoutOrchestrator');

describe('the runbook', () => {
  it('stops every status that may be paused', () => {
    const [, listed = ''] = /for status in ([\w ]+); do/.exec(runbook) ?? [];
    expect(listed.split(' ').toSorted()).toEqual(batchStatusesThat('mayPause').toSorted());
  });

  it('says of each cause what you see, what it means and what to do', () => {
    expect(rows.length).toBeGreaterThanOrEqual(50);
    expect(rows.filter((cells) => cells.length !== 3 || cells.includes(''))).toEqual([]);
    expect(new Set(rows.map(([see]) => see)).size).toBe(rows.length);
  });

  it.each([
    ...[...new Set(alarms)].map((alarm) => [alarm, 'the orchestrator', rows] as const),
    ...alarmsOf('PaymentService').map((alarm) => [alarm, 'the payment service', serviceRows] as const),
  ])('has a row with the alarm %s of %s', (alarm, _, among) => {
    const name = new RegExp(`(?<!\\w)${alarm}(?!\\w)`);
    expect(among.filter(([see = '']) => name.test(see)).length).toBeGreaterThan(0);
  });

  it('says for every alarm whether a log line names the batch, and every log line has its alarm', () => {
    const sources = globSync('functions/**/*.ts', { cwd: root }).map((file) => readFileSync(`${root}/${file}`, 'utf8'));
    const logged = new Set(
      sources.flatMap((text) => [...text.matchAll(/log\.alarm\('(\w+)'/g)].map(([, name]) => name)),
    );
    expect([...logged].filter((name) => !alarms.includes(name ?? ''))).toEqual([]);
    const named = rowsUnder('alarm').flatMap(([names = '', batch = '']) =>
      names.split(', ').map((name) => [name.replaceAll('`', ''), !batch.startsWith('no log line')] as const),
    );
    expect(named.toSorted()).toEqual([...new Set(alarms)].map((name) => [name, logged.has(name)] as const).toSorted());
  });

  it.each([
    ...Object.values(errorNames),
    'States.Timeout',
    'Lambda.Unknown',
    'Runtime.ExitError',
    'Runtime.OutOfMemory',
    'Lambda.TooManyRequestsException',
    'Lambda.ResourceNotReadyException',
    'TypeError',
  ])('says what to do when an execution fails by %s', (error) => {
    const code = `\`paused\`, \`${reasonForFailure(error, '').code}\``;
    expect(rows.filter(([see = '']) => see.startsWith(code))).toHaveLength(1);
  });
});

describe('the commands in the runbook', () => {
  const blocks = [...(runbook + practice).matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block);

  it('make at most one decision per block, because people paste whole blocks', () => {
    const decisions = blocks.map((block) => [...block.matchAll(/^(post|with_key) /gm)].length);
    expect(decisions.filter((count) => count > 0).length).toBeGreaterThanOrEqual(10);
    expect(decisions.filter((count) => count > 1)).toEqual([]);
  });

  it('require the person who acts to give a reason', () => {
    const reasons = [...blocks.join('').matchAll(/"reason":(.{25})/g)].map(([, text]) => text);
    expect(reasons.length).toBeGreaterThanOrEqual(10);
    expect(new Set(reasons)).toEqual(new Set([`"'"\${REASON:?say why}"'"}`]));
  });

  it('sort queries by name, because curl signs them as they are', () => {
    const queries = [...blocks.join('').matchAll(/^ *get "[^"?]*\?([^"]*)"/gm)].map(([, query = '']) =>
      query.split('&').map((one) => one.split('=')[0]),
    );
    expect(queries.length).toBeGreaterThanOrEqual(3);
    expect(queries).toEqual(queries.map((names) => names.toSorted()));
  });
});
