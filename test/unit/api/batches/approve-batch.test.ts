import { describe, expect, it } from 'vitest';
import { consoleCaller } from '../../../../functions/domain/batch/caller.ts';
import { batchId, createGate, starter, treasurer } from '../../../support/scenes/gate-scene.ts';

const federated = 'arn:aws:sts::123456789012:federated-user/anybody';

describe('approving', () => {
  it.each([
    ['the starter', starter, 'own_batch'],
    ['the starter in another session', 'arn:aws:sts::123456789012:assumed-role/Payroll/evening', 'own_batch'],
    ['no known person', 'unknown', 'own_batch'],
    ['someone who is not listed', 'arn:aws:iam::123456789012:user/visitor', 'not_an_approver'],
  ])('is refused for %s, and so is rejecting, also after the batch was rejected', async (_, caller, code) => {
    const gate = createGate(undefined, { approvalAbove: { THB: '500' }, approvers: [treasurer] });
    await gate.fund(batchId);
    expect(await gate.approve(caller)).toMatchObject({ code });
    expect(await gate.reject(caller)).toMatchObject({ code });
    expect(gate.standing().status).toBe('pending_approval');
    expect(await gate.reject()).toMatchObject({ status: 200 });
    expect(await gate.reject(caller)).toMatchObject({ code });
  });

  it.each([
    [treasurer, federated, 'Cancel it, and let a user or a role start it.'],
    [federated, starter, `${federated} is neither an IAM user nor a role`],
    [starter, starter, `${starter} started it, so another person must decide.`],
  ])('is refused for %s of what %s started, with what to do', async (caller, createdBy, explains) => {
    const gate = createGate(undefined, {}, { createdBy, approvalRequired: true });
    await gate.fund(batchId);
    const refused = { code: 'own_batch', about: { detail: expect.stringContaining(explains) } };
    expect(await gate.approve(caller)).toMatchObject(refused);
    expect(await gate.reject(caller)).toMatchObject(refused);
  });

  it.each([
    ['nobody is listed', [], treasurer, 'not_an_approver', 'orchestrator.approvers'],
    ['someone else is listed', [treasurer], 'arn:aws:iam::123456789012:root', 'not_an_approver', undefined],
    ['the caller has no name of their own', [treasurer], consoleCaller, 'own_batch', undefined],
  ])('of a console’s batch is refused while %s, and so is rejecting', async (_, approvers, caller, code, explains) => {
    const gate = createGate(undefined, { approvers }, { createdBy: consoleCaller, approvalRequired: true });
    await gate.fund(batchId);
    const about = explains === undefined ? {} : { about: { detail: expect.stringContaining(explains) } };
    expect(await gate.approve(caller)).toMatchObject({ code, ...about });
    expect(await gate.reject(caller)).toMatchObject({ code, ...about });
    expect(gate.standing().status).toBe('pending_approval');
  });

  it('of a console’s batch is possible for a listed approver', async () => {
    const changes = { createdBy: consoleCaller, approvalRequired: true } as const;
    const gate = createGate(undefined, { approvers: [treasurer] }, changes);
    await gate.fund(batchId);
    expect(await gate.approve(treasurer)).toMatchObject({ status: 202 });
  });

  it('succeeds for one of twenty concurrent requests, and the others learn by whom', async () => {
    const gate = createGate();
    await gate.fund(batchId);
    const callers = Array.from({ length: 20 }, (__, index) => `arn:aws:iam::123456789012:user/treasurer-${index}`);
    const answers = await Promise.all(callers.map((caller) => gate.approve(caller)));
    expect(answers.filter(({ kind }) => kind === 'answer')).toHaveLength(1);
    const others = answers.filter(({ kind }) => kind === 'problem');
    const by = gate.standing().approval?.approved?.by;
    for (const other of others)
      expect(other).toMatchObject({
        code: 'status_conflict',
        about: { detail: expect.stringContaining(`was approved by ${by}`) },
      });
    expect((await gate.timeline()).filter(({ code }) => code === 'batch.approved')).toHaveLength(1);
  });

  it('gives the approver the same answer again, even after the release', async () => {
    const gate = createGate();
    await gate.fund(batchId);
    await gate.approve();
    expect(await gate.approve()).toMatchObject({ status: 202, body: { status: 'validating' } });
    await gate.release(batchId);
    expect(await gate.approve()).toMatchObject({ status: 202, body: { status: 'processing' } });
    expect((await gate.timeline()).filter(({ code }) => code === 'batch.approved')).toHaveLength(1);
  });

  it('gives the approver the same answer in another session of the role', async () => {
    const session = (name: string) => `arn:aws:sts::123456789012:assumed-role/Treasury/${name}`;
    const gate = createGate();
    await gate.fund(batchId);
    expect(await gate.approve(session('morning'))).toMatchObject({ status: 202 });
    expect(await gate.approve(session('evening'))).toMatchObject({ status: 202 });
    expect(await gate.approve('arn:aws:sts::123456789012:assumed-role/Audit/evening')).toMatchObject({
      code: 'status_conflict',
    });
  });

  it('does not release a batch that does not await it', async () => {
    const gate = createGate(undefined, {});
    expect(await gate.approve()).toMatchObject({ code: 'status_conflict', about: { batchStatus: 'validating' } });
  });
});
