import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BatchView } from '../../../functions/api/schemas/batch.ts';
import type { OperatorAnswer, OperatorClient } from '../../../infra/local/operator-client.ts';
import {
  act,
  bahtRow,
  csvOf,
  freshAccount,
  idrRow,
  reservationsOf,
  start,
  statusOf,
  until,
  untilEnded,
  upload,
} from '../deployed/deployed-orchestrator.ts';
import {
  approve,
  approvers,
  forgetPeople,
  newRole,
  newUser,
  startAs,
  untilAsked,
} from '../deployed/deployed-people.ts';

const reject = (person: OperatorClient, batchId: string): Promise<OperatorAnswer> =>
  person.send({ method: 'POST', path: `/batches/${batchId}/reject`, body: { reason: 'Ticket 4711: not ours.' } });

const problem = (code: string) => ({ type: `urn:payout-orchestrator:problem:${code}` });
const linesOf = ({ timeline }: BatchView, code: string) => timeline.filter((line) => line.code === code);

describe('a batch that has to be approved', () => {
  let payroll: OperatorClient;
  let treasurer: OperatorClient;
  let controller: OperatorClient;

  beforeAll(async () => {
    payroll = await newUser();
    [treasurer, controller] = approvers();
  });

  afterAll(forgetPeople);

  it('is not approved by its starter, and is paid once another user approves it', async () => {
    const asked = await untilAsked(await startAs(payroll, idrRow()));
    const { batchId } = asked;
    expect(asked).toMatchObject({
      approval: { why: 'request', findings: [] },
      attention: [{ code: 'awaits_approval' }],
      actions: ['pause', 'approve', 'reject', 'cancel'],
      counts: { ready: 1 },
    });
    expect(await approve(payroll, asked)).toMatchObject({ status: 403, body: problem('own_batch') });
    expect(await approve(treasurer, asked)).toMatchObject({ status: 202 });
    const paid = await untilEnded(batchId);
    expect(paid).toMatchObject({ status: 'completed', counts: { completed: 1 } });
    const [line] = linesOf(paid, 'batch.approved');
    expect(line).toMatchObject({
      by: expect.stringMatching(/:user\/treasurer$/),
      note: expect.stringContaining('4711'),
    });
    expect(line?.by).not.toBe(paid.createdBy);
  });

  it('is neither approved nor rejected by another session of the role that started it', async () => {
    const [morning, evening] = await newRole('morning', 'evening');
    if (morning === undefined || evening === undefined) throw new Error('no sessions');
    const asked = await untilAsked(await startAs(morning, idrRow()));
    expect(asked.createdBy).toMatch(/:assumed-role\/.+\/morning$/);
    for (const answer of [await approve(evening, asked), await reject(evening, asked.batchId)])
      expect(answer).toMatchObject({ status: 403, body: problem('own_batch') });
    expect(await reject(treasurer, asked.batchId)).toMatchObject({ status: 200, body: { status: 'canceled' } });
    const rejected = await statusOf(asked.batchId);
    expect(rejected.reason?.code).toBe('rejected_by_person');
    expect(linesOf(rejected, 'batch.rejected')).toHaveLength(1);
    expect(await reservationsOf(asked.batchId)).toEqual([]);
  });

  it('needs a new approval when its funding has changed, and the old hash is void', async () => {
    const before = await untilAsked(await startAs(payroll, bahtRow(freshAccount())));
    expect(before.funding?.conversions).toMatchObject([{ outputCurrency: 'THB' }]);
    expect((await act(before.batchId, 'pause')).status).toBe(200);
    // Baht is bought for it and returns, because the account refuses the transfer.
    const failed = await untilEnded(await start(await upload(csvOf(bahtRow(freshAccount('9901'))))));
    expect(failed.counts).toEqual({ failed: 1 });
    expect((await act(before.batchId, 'resume')).status).toBe(202);
    const after = await until(before.batchId, ({ approval }) => approval?.hash !== before.approval?.hash);
    expect(after.funding?.conversions).toEqual([]);
    expect(await approve(treasurer, before)).toMatchObject({ status: 409, body: problem('approval_void') });
    expect(await approve(treasurer, after)).toMatchObject({ status: 202 });
    expect(await untilEnded(before.batchId)).toMatchObject({ status: 'completed', conversions: [] });
  });

  it('is approved once by eight concurrent approvals', async () => {
    const asked = await untilAsked(await startAs(payroll, idrRow()));
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => approve(index % 2 === 0 ? treasurer : controller, asked)),
    );
    const refused = answers.filter(({ status }) => status !== 202);
    expect(refused).toHaveLength(4);
    for (const answer of refused) expect(answer).toMatchObject({ status: 409, body: problem('status_conflict') });
    const paid = await untilEnded(asked.batchId);
    expect([paid.status, linesOf(paid, 'batch.approved').length]).toEqual(['completed', 1]);
  });

  it('shows in a preview why it would need approval', async () => {
    const file = await upload(csvOf(idrRow()));
    const preview = await untilEnded(await start(file, { mode: 'preview', approval: 'required' }));
    expect(preview).toMatchObject({ status: 'previewed', approval: { why: 'request', findings: [] } });
  });
});
