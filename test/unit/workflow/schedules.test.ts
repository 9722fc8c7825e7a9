import { ConflictException, ResourceNotFoundException, SchedulerClient } from '@aws-sdk/client-scheduler';
import { describe, expect, it } from 'vitest';
import { createSchedules } from '../../../functions/workflow/schedules.ts';

const now = Date.parse('2026-01-05T09:00:00Z');

const createScene = (failure?: Error) => {
  const sent: unknown[] = [];
  const send = async ({ input }: { readonly input: unknown }): Promise<unknown> => {
    sent.push(input);
    if (failure !== undefined) throw failure;
    return {};
  };
  const scheduler = Object.assign(new SchedulerClient({ region: 'us-east-1' }), { send });
  const schedules = createSchedules({ scheduler, group: 'group', target: 'arn:f', role: 'arn:r', clock: () => now });
  return { schedules, sent };
};

const of = { $metadata: {}, message: '', Message: '' };

describe('a schedule', () => {
  it('is named after its batch, runs once and is then deleted', async () => {
    const { schedules, sent } = createScene();
    await schedules.wakeAt('b-1', now + 3_600_000, 'arn:machine');
    expect(sent).toMatchObject([
      {
        Name: 'b-1',
        GroupName: 'group',
        ScheduleExpression: 'at(2026-01-05T10:00:00)',
        ScheduleExpressionTimezone: 'UTC',
        ActionAfterCompletion: 'DELETE',
        Target: { Arn: 'arn:f', RoleArn: 'arn:r', Input: '{"batchId":"b-1","stateMachine":"arn:machine"}' },
      },
    ]);
  });

  it.each([
    ['never early: in the next whole second', 60_001, 'at(2026-01-05T09:01:01)'],
    ['a little later when its time has nearly come', 500, 'at(2026-01-05T09:00:10)'],
    ['soon when its time has passed', -60_000, 'at(2026-01-05T09:00:10)'],
  ])('is %s', async (_name, inMs, expression) => {
    const { schedules, sent } = createScene();
    await schedules.wakeAt('b-1', now + inMs, 'arn:machine');
    expect(sent).toMatchObject([{ ScheduleExpression: expression }]);
  });

  it('may exist already, and may be deleted already', async () => {
    const { schedules } = createScene(new ConflictException(of));
    await expect(schedules.wakeAt('b-1', now, 'arn:machine')).resolves.toBeUndefined();
    const gone = createScene(new ResourceNotFoundException(of));
    await expect(gone.schedules.forget('b-1')).resolves.toBeUndefined();
    expect(gone.sent).toEqual([{ Name: 'b-1', GroupName: 'group' }]);
  });

  it('reports a failed creation or deletion', async () => {
    const { schedules } = createScene(new Error('out'));
    await expect(schedules.wakeAt('b-1', now, 'arn:machine')).rejects.toThrow('out');
    await expect(schedules.forget('b-1')).rejects.toThrow('out');
  });
});
