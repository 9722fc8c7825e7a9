import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { exportLines } from '../../infra/local/aws/terminal-lines.ts';

/** The shell lines of the README's "By hand" section, unchanged. */
const readme = readFileSync(new URL('../../functions/payment-service/README.md', import.meta.url), 'utf8');
const lines = /\n## By hand\n.*?```sh\n(.*?)```/s.exec(readme)?.[1] ?? '';

/** A machine with only Node and Python may lack these. In CI, a missing tool is a failure. */
const tools = ['bash', 'curl', 'openssl'];
const missing = tools.filter((tool) => spawnSync(tool, ['--version']).error !== undefined);

describe.skipIf(missing.length > 0 && process.env['CI'] !== 'true')(
  `the README's lines for a terminal${missing.length > 0 ? ` (needs ${missing.join(', ')})` : ''}`,
  () => {
    it('deposit, check out, convert, disburse and control the sandbox', async () => {
      const folder = mkdtempSync(path.join(tmpdir(), 'by-hand-'));
      const script = `set -euo pipefail\n${await exportLines(inject('localAws'))}\n${lines}`;
      const output = execFileSync('bash', ['-c', script], { cwd: folder, encoding: 'utf8', timeout: 90_000 });
      const answers = output.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
      expect(answers).toMatchObject([
        { statusCode: 200, message: 'Deposit updated', data: { status: 'completed' } },
        { statusCode: 200, data: { status: 'completed', paymentFiat: { bankCode: 'GCASH' } } },
        { assets: { fiat: { balances: expect.any(Array) } } },
        { statusCode: 200, data: { status: 'completed', depositId: expect.stringMatching(/^chk_/) } },
        { statusCode: 200, message: 'Conversion executed successfully' },
        { statusCode: 200, data: { status: 'completed', amount: 250.5 } },
        { statusCode: 200, data: { clockOffsetSeconds: 3600 } },
        { statusCode: 200, data: { clockOffsetSeconds: 0 } },
      ]);
      expect(output).toMatch(/^https:\/\/\S+\/checkout\/chk_[0-9a-f]{32}$/m);
      expect(readFileSync(path.join(folder, 'transfer-proof.pdf')).subarray(0, 5).toString()).toBe('%PDF-');
    });
  },
);
