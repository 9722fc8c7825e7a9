import { describe, expect, it } from 'vitest';
import { composed, resourcesOf } from '../support/synthesized.ts';

const resources = resourcesOf(composed(), 'PayoutOrchestrator');
const ofType = (type: string) => resources.filter(({ Type }) => Type === type);

describe('somebody is told', () => {
  it('by a watch that is woken every five minutes, or as often as is set', () => {
    expect(ofType('AWS::Events::Rule').map(({ Properties }) => Properties)).toMatchObject([
      {
        ScheduleExpression: 'rate(5 minutes)',
        State: 'ENABLED',
        Targets: [{ Arn: { 'Fn::GetAtt': [expect.stringMatching(/^WatchWatchBatches/), 'Arn'] } }],
      },
    ]);
    const often = resourcesOf(composed({ watchMinutes: 1 }), 'PayoutOrchestrator');
    expect(often.map(({ Properties }) => Properties)).toContainEqual(
      expect.objectContaining({ ScheduleExpression: 'rate(1 minute)' }),
    );
  });

  it.each([
    ['BatchStuck', 'PayoutOrchestrator'],
    ['BatchWaits', 'PayoutOrchestrator'],
    ['PayoutsNotSubmitted', 'PayoutOrchestrator'],
    ['BatchHalted', 'PayoutOrchestrator'],
    ['PayoutQuarantined', 'PayoutOrchestrator'],
    ['PayoutChangedAfterEnd', 'PayoutOrchestrator'],
    ['ConversionUnknown', 'PayoutOrchestrator'],
    ['TreasuryLockStuck', 'PayoutOrchestrator'],
    ['ExecutionsFailed', 'AWS/States'],
    ['ExecutionsTimedOut', 'AWS/States'],
    ['ExecutionsAborted', 'AWS/States'],
  ])('by an alarm on the first %s of %s', (MetricName, Namespace) => {
    const alarms = ofType('AWS::CloudWatch::Alarm').map(({ Properties }) => Properties);
    expect(alarms).toContainEqual(
      expect.objectContaining({ MetricName, Namespace, Threshold: 1, EvaluationPeriods: 1, Statistic: 'Sum' }),
    );
  });
});
