import { describe, expect, it } from 'vitest';
import { batchId, createGate, held, treasurer } from '../../../support/scenes/gate-scene.ts';

describe('rejecting', () => {
  it('ends the batch as canceled, frees its money, and records by whom', async () => {
    const gate = createGate();
    await gate.fund(batchId);
    const answer = { status: 200, body: { status: 'canceled', reason: { code: 'rejected_by_person' } } };
    expect(await gate.reject()).toMatchObject(answer);
    expect(await gate.reject()).toMatchObject(answer);
    expect(await held(gate)).toEqual([]);
    expect(await gate.approve()).toMatchObject({ code: 'status_conflict' });
    expect(await gate.release(batchId)).toEqual({ batchId, next: 'wait', waitSeconds: 1 });
    expect(await gate.fund(batchId)).toEqual({ batchId, next: 'ended' });
    const rejected = (await gate.timeline()).filter(({ code }) => code === 'batch.rejected');
    expect(rejected).toMatchObject([{ by: treasurer, note: 'Not ours.' }]);
  });
});
