import { describe, expect, it } from 'vitest';
import { composed, permissionsByRole, resourcesOf } from '../support/synthesized.ts';

const resources = resourcesOf(composed(), 'PayoutOrchestrator');
const roles = permissionsByRole(resources);
const permissionsOf = (role: RegExp): readonly string[] => [...roles].find(([name]) => role.test(name))?.[1] ?? [];
const withoutHashes = (lines: readonly string[]) => lines.map((line) => line.replaceAll(/[0-9A-F]{8}(?=\.)/g, ''));

describe('schedules of batches', () => {
  it('are in the stack’s own group', () => {
    const groups = resources.filter(({ Type }) => Type === 'AWS::Scheduler::ScheduleGroup');
    expect(groups.map(({ Properties }) => Properties)).toEqual([{ Name: 'PayoutOrchestrator-production-batches' }]);
  });

  it('may invoke one function, and nothing else', () => {
    expect(withoutHashes(permissionsOf(/SchedulerRole/))).toEqual([
      'lambda:InvokeFunction <SchedulesBeginScheduled.Arn>',
    ]);
  });

  it('have a role that only the account’s own scheduler may assume', () => {
    const role = resources.find(({ logicalId }) => logicalId.includes('SchedulerRole'));
    expect(JSON.stringify(role?.Properties)).toContain('scheduler.amazonaws.com');
    expect(JSON.stringify(role?.Properties)).toContain('"StringEquals":{"aws:SourceAccount":');
  });

  it('are created and deleted only by AwaitStart, which may pass that role and no other', () => {
    const makers = [...roles].filter(([, lines]) => lines.some((line) => /^(scheduler|iam):/.test(line)));
    expect(makers.map(([name]) => name)).toEqual([expect.stringMatching(/AwaitStartRole/)]);
    const lines = permissionsOf(/AwaitStartRole/).filter((line) => /^(scheduler|iam):/.test(line));
    expect(lines.filter((line) => line.startsWith('iam:'))).toEqual([
      expect.stringMatching(/^iam:PassRole <SchedulesSchedulerRole\w+\.Arn>/),
    ]);
    expect(lines.map((line) => line.split(' ')[0]).toSorted()).toEqual([
      'iam:PassRole',
      'scheduler:CreateSchedule',
      'scheduler:DeleteSchedule',
    ]);
    expect(lines.filter((line) => line.startsWith('scheduler:')).every((line) => line.endsWith('/*'))).toBe(true);
  });
});
