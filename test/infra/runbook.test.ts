import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { errorNames } from '../../functions/domain/errors.ts';
import { reasonForFailure } from '../../functions/steps/record-failure.ts';
import { composed, resourcesOf } from '../support/synthesized.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const runbook = readFileSync(`${root}/infra/RUNBOOK.md`, 'utf8');
const practice = readFileSync(`${root}/infra/PRACTICE.md`, 'utf8');

/** The rows of the table whose first column is called so. */
const rowsOf = (column: string): readonly (readonly string[])[] =>
  (runbook.split(`\n| ${column} |`)[1]?.split('\n\n')[0] ?? '')
    .trim()
    .split('\n')
    .slice(2)
    .map((line) => line.replace(/^\| | \|$/g, '').split(' | '));

/** The table "stuck, told by, what to do". */
const rows = rowsOf('stuck');

/** Alarms by the names people see; those of single functions are one kind. */
const eventWebhook = { url: 'https://merchant.example/hooks', secretName: 'merchant/events' };
const alarms = resourcesOf(composed({ eventWebhook }), 'PayoutOrchestrator')
  .filter(({ Type }) => Type === 'AWS::CloudWatch::Alarm')
  .map(({ logicalId }) =>
    logicalId.replace(/^Monitoring(.*)[0-9A-F]{8}$/, '$1').replace(/^\w+Errors$/, '<function>Errors'),
  );

describe('the runbook', () => {
  it('has a row for everything that gets stuck', () => {
    expect(rows.length).toBeGreaterThanOrEqual(12);
    expect(rows.filter((cells) => cells.length !== 3 || cells.includes(''))).toEqual([]);
  });

  it.each([...new Set(alarms)])('says what to do on the alarm %s', (alarm) => {
    expect(rows.filter(([, toldBy = '']) => toldBy.includes(alarm)).length).toBeGreaterThan(0);
  });

  it('says of every alarm whether a log line tells of which batch it is', () => {
    const sources = globSync('functions/**/*.ts', { cwd: root }).map((file) => readFileSync(`${root}/${file}`, 'utf8'));
    const logged = new Set(
      sources.flatMap((text) => [...text.matchAll(/log\.alarm\('(\w+)'/g)].map(([, name]) => name)),
    );
    const named = rowsOf('alarm').flatMap(([names = '', batch = '']) =>
      names.split(', ').map((name) => [name.replaceAll('`', ''), !batch.startsWith('no log line')] as const),
    );
    expect(named.toSorted()).toEqual([...new Set(alarms)].map((name) => [name, logged.has(name)] as const).toSorted());
  });

  it.each([
    ...Object.values(errorNames),
    'States.Timeout',
    'Lambda.Unknown',
    'Lambda.TooManyRequestsException',
    'TypeError',
  ])('says what to do when an execution fails by %s', (error) => {
    const told = rows.filter(([stuck = '']) => stuck.startsWith(`\`paused\`, \`${reasonForFailure(error, '').code}\``));
    expect(told).toHaveLength(1);
  });
});

describe('the lines for a terminal in the runbook', () => {
  const blocks = [...(runbook + practice).matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block);

  it('decide one thing in a block, since a block is pasted whole', () => {
    const decisions = blocks.map((block) => [...block.matchAll(/^(post|with_key) /gm)].length);
    expect(decisions.filter((count) => count > 0).length).toBeGreaterThanOrEqual(10);
    expect(decisions.filter((count) => count > 1)).toEqual([]);
  });

  it('give no reason in the place of the person who acts', () => {
    const reasons = [...blocks.join('').matchAll(/"reason":(.{25})/g)].map(([, text]) => text);
    expect(reasons.length).toBeGreaterThanOrEqual(10);
    expect(new Set(reasons)).toEqual(new Set([`"'"\${REASON:?say why}"'"}`]));
  });

  it('sort what they ask by name, since curl signs it as it stands', () => {
    const queries = [...blocks.join('').matchAll(/^ *get "[^"?]*\?([^"]*)"/gm)].map(([, query = '']) =>
      query.split('&').map((one) => one.split('=')[0]),
    );
    expect(queries.length).toBeGreaterThanOrEqual(3);
    expect(queries).toEqual(queries.map((names) => names.toSorted()));
  });
});
