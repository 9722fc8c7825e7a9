import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { composed, resourcesOf } from '../support/synthesized.ts';

const stacks = ['PayoutOrchestrator', 'PaymentService'] as const;

const settings = {
  webhookSecretPrefix: 'given/webhook',
  eventWebhook: { url: 'https://m.example/hooks', secretName: 'm/events' },
};

/** Names that only need to be unique within another resource, whose own name contains the stage. */
const within = new Set(['AWS::ApiGateway::Stage StageName', 'AWS::IAM::Policy PolicyName']);

/** Composed once, because that takes seconds. */
const apps = {
  production: composed({ ...settings, stage: 'production' }),
  staging: composed({ ...settings, stage: 'staging' }),
} as const;
type Stage = keyof typeof apps;

/** Returns every fixed name, such as `AWS::SecretsManager::Secret Name payout-orchestrator/webhook/production`. */
const namesOf = (stage: Stage): readonly string[] =>
  stacks.flatMap((stack) =>
    resourcesOf(apps[stage], stack).flatMap(({ Type, Properties }) =>
      Object.entries(Properties).flatMap(([key, value]) =>
        typeof value === 'string' && isName(Type, key) && !within.has(`${Type} ${key}`)
          ? [`${Type} ${key} ${value}`]
          : [],
      ),
    ),
  );

const kindOf = (type: string): string => type.split('::').at(-1) ?? type;

/** True for `Name` and for the type's own name, such as `TableName`. An alarm's `MetricName` does not name the alarm. */
const isName = (type: string, key: string): boolean =>
  key === 'Name' || (key.endsWith('Name') && (kindOf(type).endsWith(key.slice(0, -4)) || key === 'LogGroupName'));

describe('two stages in one account', () => {
  it('have no fixed name in common', () => {
    const [production, staging] = [namesOf('production'), namesOf('staging')];
    expect(production.length).toBe(staging.length);
    expect(new Set(production.map((name) => name.split(' ')[0]))).toEqual(
      new Set([
        'AWS::ApiGateway::RestApi',
        'AWS::CloudWatch::Dashboard',
        'AWS::Events::EventBus',
        'AWS::Logs::LogGroup',
        'AWS::Scheduler::ScheduleGroup',
        'AWS::SecretsManager::Secret',
      ]),
    );
    expect(staging.filter((name) => production.includes(name))).toEqual([]);
    expect(production.filter((name) => !name.includes('production'))).toEqual([]);
  });

  it('have separate stacks', () => {
    const names = (stage: Stage) => apps[stage].synth().stacks.map(({ stackName }) => stackName);
    expect(names('staging').toSorted()).toEqual(['PaymentService-staging', 'PayoutOrchestrator-staging']);
    expect(names('production').toSorted()).toEqual(['PaymentService-production', 'PayoutOrchestrator-production']);
  });

  it('have separate function metrics, and alarms on their own metrics', () => {
    const staging = resourcesOf(apps.staging, 'PayoutOrchestrator');
    const alarm = z.object({ Namespace: z.literal('PayoutOrchestrator'), Dimensions: z.unknown() });
    const heard = staging.flatMap(({ Properties }) => alarm.safeParse(Properties).data?.Dimensions ?? []);
    expect(heard.length).toBeGreaterThan(10);
    for (const dimension of heard) expect(dimension).toEqual({ Name: 'service', Value: 'PayoutOrchestrator-staging' });
    const functions = staging.filter(({ Type }) => Type === 'AWS::Lambda::Function');
    expect(functions.length).toBeGreaterThan(20);
    for (const { Properties } of functions) {
      expect(Properties['Environment']).toMatchObject({
        Variables: { POWERTOOLS_SERVICE_NAME: 'PayoutOrchestrator-staging' },
      });
    }
  });

  it('each read their own secrets', () => {
    const readSecrets = (stage: Stage) => {
      const template = JSON.stringify(stacks.flatMap((stack) => resourcesOf(apps[stage], stack)));
      return [...template.matchAll(/:secret:([\w/.-]+)-\?{6}/g)].map(([, name]) => name);
    };
    const shared = ['m/events'];
    const read = readSecrets('staging').filter((name) => !shared.includes(name ?? ''));
    expect(read.length).toBeGreaterThan(5);
    expect(read.filter((name) => !name?.includes('staging'))).toEqual([]);
  });
});
