import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  CreateRoleCommand,
  DeleteRoleCommand,
  DeleteRolePolicyCommand,
  IAMClient,
  PutRolePolicyCommand,
} from '@aws-sdk/client-iam';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { payoutView } from '../../functions/api/schemas/payout.ts';
import { exportLines } from '../../infra/local/aws/terminal-lines.ts';
import {
  csvOf,
  freshReference,
  idrRow,
  operator,
  start,
  untilEnded,
  upload,
} from './deployed/deployed-orchestrator.ts';

const textOf = (document: string): string => readFileSync(new URL(`../../${document}`, import.meta.url), 'utf8');

const runbook = ['infra/RUNBOOK.md', 'infra/PRACTICE.md'].map(textOf).join('\n');

/** The runbook's shell lines, unchanged. */
const lines = [...runbook.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block).join('');

/** The root README's function for signed requests. */
const signed = /^signed\(\) \{.*?\}$/ms.exec(textOf('README.md'))?.[0] ?? '';

/** The functions of the payment service's README. */
const toProvider = /```sh\n(call\(\) .*?)\n# Deposit/s.exec(textOf('functions/payment-service/README.md'))?.[1] ?? '';

/** Not every machine has the AWS CLI. This stub prints the request, which also serves as the names of log groups. */
const awsStub = `aws() { echo "asked: $1 $2"; }`;

const missing = ['bash', 'curl', 'openssl'].filter((tool) => spawnSync(tool, ['--version']).error !== undefined);

const refusal = (code: string) => ({ type: `urn:payout-orchestrator:problem:${code}` });

describe.skipIf(missing.length > 0 && process.env['CI'] !== 'true')(
  `the runbook's lines for a terminal${missing.length > 0 ? ` (needs ${missing.join(', ')})` : ''}`,
  () => {
    const iam = new IAMClient();
    const RoleName = `on-duty-${randomUUID()}`;
    let credentials = '';

    // The local AWS does not check its root's signatures, so a role runs the lines.
    beforeAll(async () => {
      const Statement = {
        Effect: 'Allow',
        Principal: { AWS: 'arn:aws:iam::000000000000:root' },
        Action: 'sts:AssumeRole',
      };
      const AssumeRolePolicyDocument = JSON.stringify({ Version: '2012-10-17', Statement });
      const { Role } = await iam.send(new CreateRoleCommand({ RoleName, AssumeRolePolicyDocument }));
      const PolicyDocument = JSON.stringify({
        Version: '2012-10-17',
        Statement: { Effect: 'Allow', Action: 'execute-api:Invoke', Resource: '*' },
      });
      await iam.send(new PutRolePolicyCommand({ RoleName, PolicyName: 'all', PolicyDocument }));
      const { Credentials } = await new STSClient().send(
        new AssumeRoleCommand({ RoleArn: Role?.Arn, RoleSessionName: 'by-hand' }),
      );
      credentials = [
        `AWS_ACCESS_KEY_ID='${Credentials?.AccessKeyId}'`,
        `AWS_SECRET_ACCESS_KEY='${Credentials?.SecretAccessKey}'`,
        `AWS_SESSION_TOKEN='${Credentials?.SessionToken}'`,
      ].join(' ');
    });

    afterAll(async () => {
      await iam.send(new DeleteRolePolicyCommand({ RoleName, PolicyName: 'all' }));
      await iam.send(new DeleteRoleCommand({ RoleName }));
    });

    it('make the described requests, unchanged, when signed by a role', async () => {
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
        credentials,
        `BATCH_ID=${batchId} REFERENCE=${reference} DISBURSEMENT_ID=${disbursementId}`,
        `EXECUTION=${batchId} STACK=PayoutOrchestrator-local`,
        `CONVERSION=1 STATUS=completed REASON="a try, by hand" HASH=${'0'.repeat(64)}`,
        signed,
        toProvider,
        awsStub,
        lines,
      ].join('\n');
      const folder = mkdtempSync(path.join(tmpdir(), 'runbook-'));
      writeFileSync(path.join(folder, 'reapplied.json'), '{"putBack":0}\n');
      const output = execFileSync('bash', ['-c', script], { cwd: folder, encoding: 'utf8', timeout: 90_000 });
      const answers = output.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
      const undecidable = refusal('payout_conflict');
      expect(answers).toMatchObject([
        { batchId, status: 'completed' },
        { payouts: [] },
        { payouts: [] },
        { reference, status: 'completed' },
        { reservations: expect.any(Array), locks: expect.any(Array) },
        { batches: expect.any(Array) },
        refusal('status_conflict'),
        refusal('status_conflict'),
        { reference, status: 'completed' },
        { reference, status: 'completed', disbursementId },
        undecidable,
        undecidable,
        undecidable,
        { batchId, status: 'completed' },
        // No approval is pending.
        refusal('status_conflict'),
        refusal('status_conflict'),
        refusal('nothing_contradicts'),
        refusal('conversion_not_found'),
        refusal('conversion_not_found'),
        { putBack: 0 },
        { data: { faults: [{ endpoint: 'POST /v1/convert', fault: 'drop-before' }] } },
        { data: { faults: [] } },
        { data: { disbursementId, status: 'completed' } },
        { data: { docs: [] } },
        { statusCode: 200, message: 'Disbursement updated successfully' },
        { data: { status: 'pending', fee: { amount: 0.4, percentage: 0.1 } } },
      ]);
      const asked = new Set(output.split('\n').filter((line) => line.startsWith('asked: ')));
      expect(asked).toEqual(
        new Set([
          'asked: cloudformation update-termination-protection',
          'asked: logs filter-log-events',
          'asked: stepfunctions get-execution-history',
          'asked: stepfunctions stop-execution',
          'asked: lambda invoke',
          'asked: sqs start-message-move-task',
        ]),
      );
    });

    it('restore a plan file: they delete its versions after the first, and its delete markers', () => {
      const restoring = lines.slice(lines.indexOf('changed_files() {'), lines.indexOf('\nchanged_files\n'));
      const script = [
        'set -euo pipefail',
        'FILES_BUCKET=files BATCH_ID=b-1',
        // What the CLI prints for the two queries.
        `aws() {
          case "$2 $*" in
            list-object-versions*DeleteMarkers\\[\\?*) printf 'version-2\\nmarker-3\\n' ;;
            list-object-versions*) printf '%s\\n' b-1/changed b-1/kept b-1/changed ;;
            *) echo "$*" ;;
          esac
        }`,
        restoring,
        'for key in $(changed_files); do restore_file "$key"; done',
      ].join('\n');
      expect(execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trimEnd().split('\n')).toEqual([
        's3api delete-object --bucket files --key b-1/changed --version-id version-2',
        's3api delete-object --bucket files --key b-1/changed --version-id marker-3',
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
      const output = execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trimEnd().split('\n');
      const always = [
        '--silent',
        '--aws-sigv4',
        'aws:amz:eu-west-1:execute-api',
        '--user',
        'id:secret',
        'https://example.org',
      ];
      expect(output.filter((word) => !always.includes(word))).toEqual(expected);
      expect(output).toEqual(expect.arrayContaining(always));
    });
  },
);
