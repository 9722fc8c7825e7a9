import { describe, expect, it } from 'vitest';
import { isNamedFor } from '../../../../infra/verify/leftovers.ts';

describe('a leftover of the stage throwaway-1', () => {
  it.each([
    ['payoutorchestrator-throwaway-1-filesbucket-x1', true],
    ['PayoutOrchestrator-throwaway-1-LedgerTable-X1', true],
    ['payout-orchestrator/webhook/throwaway-1', true],
    ['/aws/vendedlogs/states/PayoutOrchestrator-throwaway-1-batch', true],
    ['PayoutOrchestrator-throwaway-12-LedgerTable-X1', false],
    ['PayoutOrchestrator-throwaway-a1-LedgerTable-X1', false],
    ['PayoutOrchestrator-notthrowaway-1-LedgerTable-X1', false],
    ['payout-orchestrator/webhook/production', false],
  ])('may be named %s: %s', (name, may) => {
    expect(isNamedFor('throwaway-1', name)).toBe(may);
  });
});
