import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { errorNames } from '../../functions/domain/errors.ts';
import { reasonForFailure } from '../../functions/domain/failure-reason.ts';
import { composed, resourcesOf } from '../support/synthesized.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const readme = readFileSync(`${root}/infra/README.md`, 'utf8');
const runbook = /\n## Runbook\n(.*?)\n## /s.exec(readme)?.[1] ?? '';

/** What the letters before a test's name stand for. */
const folders: Readonly<Record<string, string>> = { U: 'test/unit', E: 'test/e2e', L: 'test/ledger' };

/** The rows of the table "stuck, told by, what to do, shown by". */
const table = /\n\| stuck \|.*?\n\n/s.exec(runbook)?.[0] ?? '';
const rows = table
  .trim()
  .split('\n')
  .slice(2)
  .map((line) => line.replace(/^\| | \|$/g, '').split(' | '));

/** Alarms by the names people see; those of single functions are one kind. */
const alarms = resourcesOf(composed(), 'PayoutOrchestrator')
  .filter(({ Type }) => Type === 'AWS::CloudWatch::Alarm')
  .map(({ logicalId }) =>
    logicalId.replace(/^Monitoring(.*)[0-9A-F]{8}$/, '$1').replace(/^\w+Errors$/, '<function>Errors'),
  );

describe('the runbook', () => {
  it('has a row for everything that gets stuck', () => {
    expect(rows.length).toBeGreaterThanOrEqual(12);
    expect(rows.filter((cells) => cells.length !== 4 || cells.includes(''))).toEqual([]);
  });

  it.each(rows)('of %s names tests that there are', (...cells) => {
    let letter = '';
    const files = (cells.at(-1) ?? '').split(', ').map((name) => {
      const [, given = letter, file = ''] = /^(?:([A-Z]) )?`(.+)`$/.exec(name) ?? [];
      letter = given;
      return `${folders[letter] ?? letter}/${file}.test.ts`;
    });
    expect(files.filter((file) => !existsSync(`${root}/${file}`))).toEqual([]);
  });

  it.each([...new Set(alarms)])('says what to do on the alarm %s', (alarm) => {
    expect(rows.filter(([, toldBy = '']) => toldBy.includes(alarm)).length).toBeGreaterThan(0);
  });

  it.each([...Object.values(errorNames), 'States.Timeout', 'TypeError'])(
    'says what to do when an execution fails by %s',
    (error) => {
      const told = rows.filter(([stuck = '']) => stuck.includes(`\`${reasonForFailure(error).code}\``));
      expect(told).toHaveLength(1);
    },
  );
});
