import { describe, expect, it } from 'vitest';
import { composed, resourcesOf } from '../../support/synthesized.ts';

const resources = resourcesOf(composed(), 'PayoutOrchestrator');

describe('schedules of batches', () => {
  it('are in the stack’s own group', () => {
    const groups = resources.filter(({ Type }) => Type === 'AWS::Scheduler::ScheduleGroup');
    expect(groups.map(({ Properties }) => Properties)).toEqual([{ Name: 'PayoutOrchestrator-production-batches' }]);
  });

  it('have a role that only the account’s own scheduler may assume', () => {
    const role = resources.find(({ logicalId }) => logicalId.includes('SchedulerRole'));
    expect(JSON.stringify(role?.Properties)).toContain('scheduler.amazonaws.com');
    expect(JSON.stringify(role?.Properties)).toContain('"StringEquals":{"aws:SourceAccount":');
  });
});
