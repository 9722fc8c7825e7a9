import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, inject, it } from 'vitest';
import { payoutView } from '../../functions/api/schemas/payout.ts';
import { exportLines } from '../../infra/local/usage.ts';
import { csvOf, freshReference, idrRow, operator, start, untilEnded, upload } from './deployed-orchestrator.ts';

const readmeOf = (folder: string): string => readFileSync(new URL(`../../${folder}README.md`, import.meta.url), 'utf8');

const runbook = /\n## Runbook\n(.*?)\n## /s.exec(readmeOf('infra/'))?.[1] ?? '';

/** Its lines for a terminal as they stand there, but for those of the AWS CLI, which not every machine has. */
const lines = [...runbook.matchAll(/```sh\n(.*?)```/gs)]
  .map(([, block = '']) => block)
  .join('')
  .replace(/^for group in .*?^done$/gms, '')
  .replace(/^aws .*$/gm, '');

/** The function that the root README gives for signed requests. */
const signed = /^signed\(\) \{.*?\}$/ms.exec(readmeOf(''))?.[0] ?? '';

const missing = ['bash', 'curl'].filter((tool) => spawnSync(tool, ['--version']).error !== undefined);

const refusal = (code: string) => ({ type: `urn:payout-orchestrator:problem:${code}` });

describe.skipIf(missing.length > 0 && process.env['CI'] !== 'true')(
  `the runbook's lines for a terminal${missing.length > 0 ? ` (needs ${missing.join(', ')})` : ''}`,
  () => {
    it('ask what they say, as they stand', async () => {
      const reference = freshReference();
      const batchId = await start(await upload(csvOf(idrRow({ reference }))));
      await untilEnded(batchId);
      const { disbursementId = '' } = await operator().ask(
        { method: 'GET', path: `/payouts/${reference}` },
        payoutView,
      );
      const script = [
        'set -euo pipefail',
        await exportLines(inject('localAws')),
        `BATCH_ID=${batchId} REFERENCE=${reference} DISBURSEMENT_ID=${disbursementId}`,
        signed,
        lines,
      ].join('\n');
      const said = execFileSync('bash', ['-c', script], { encoding: 'utf8', timeout: 60_000 });
      const answers = said.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
      const undecidable = refusal('payout_conflict');
      expect(answers).toMatchObject([
        { batchId, status: 'completed' },
        { payouts: [] },
        { payouts: [] },
        { reference, status: 'completed' },
        { reservations: expect.any(Array), locks: expect.any(Array) },
        refusal('status_conflict'),
        refusal('status_conflict'),
        { reference, status: 'completed' },
        { reference, status: 'completed', disbursementId },
        undecidable,
        undecidable,
        undecidable,
        refusal('status_conflict'),
        refusal('nothing_contradicts'),
        refusal('conversion_not_found'),
        refusal('conversion_not_found'),
      ]);
    });

    it.each([
      ['a user on AWS', '', []],
      ['a role on AWS', 'AWS_SESSION_TOKEN=token', ['-H', 'x-amz-security-token: token']],
      ['the local AWS', "AWS_CA_BUNDLE='/a folder/ca.pem'", ['--cacert', '/a folder/ca.pem']],
    ])('sign for %s', (_, given, expected) => {
      const script = [
        'set -euo pipefail',
        'unset AWS_CA_BUNDLE AWS_SESSION_TOKEN',
        `AWS_REGION=eu-west-1 AWS_ACCESS_KEY_ID=id AWS_SECRET_ACCESS_KEY=secret ${given}`,
        `curl() { printf '%s\\n' "$@"; }`,
        signed,
        'signed https://example.org',
      ].join('\n');
      const said = execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trimEnd().split('\n');
      const always = [
        '--silent',
        '--aws-sigv4',
        'aws:amz:eu-west-1:execute-api',
        '--user',
        'id:secret',
        'https://example.org',
      ];
      expect(said.filter((word) => !always.includes(word))).toEqual(expected);
      expect(said).toEqual(expect.arrayContaining(always));
    });
  },
);
