import { expect, it } from 'vitest';
import { byHand, leftUsd } from '../../../../infra/verify/destroy-stage.ts';

it('counts the price of what remains of a stage that could not be destroyed', () => {
  const resource = (type: string, status: string) => ({ type, status, logicalId: 'One', physicalId: 'one' });
  const resources = [
    resource('AWS::KMS::Key', 'DELETE_FAILED'),
    resource('AWS::SecretsManager::Secret', 'CREATE_COMPLETE'),
    resource('AWS::CloudWatch::Dashboard', 'DELETE_COMPLETE'),
    resource('AWS::Lambda::Function', 'CREATE_COMPLETE'),
  ];
  expect(leftUsd([{ name: 'one', id: 'one', status: 'DELETE_FAILED', resources }])).toBe('1.40');
});

it('says how to continue by hand, with the stage and both stacks', () => {
  expect(byHand('throwaway-1')).toContain('npm run verify:aws -- --destroy throwaway-1');
  expect(byHand('throwaway-1')).toMatch(/delete PayoutOrchestrator-throwaway-1, then PaymentService-throwaway-1/);
});
