import { describe, expect, it } from 'vitest';
import type { Rail } from '../../../../functions/domain/payout/payout.ts';
import { rails } from '../../../../functions/domain/payout/payout.ts';
import type { RailTraits } from '../../../../functions/ports/provider.ts';
import { documentedTraits } from '../../../../functions/provider/settings.ts';
import { batchId } from '../../../support/scenes/chunk-scene.ts';
import { problem, quarantined } from './settle-scene.ts';

describe('settling as not paid, when the provider', () => {
  const promising = (rail: Rail, referenceUniqueHours: RailTraits['referenceUniqueHours']) => {
    const traits = documentedTraits();
    const own = { ...traits.rails[rail], referenceUniqueHours };
    return { ...traits, rails: { ...traits.rails, [rail]: own } };
  };

  it.each(rails)('promises no unique references on the rail %s, needs a search by destination', async (rail) => {
    const { scene, standing, settle } = await quarantined(rail);
    Object.assign(scene.provider, { traits: promising(rail, 0), listByDestination: async () => undefined });
    expect(await settle('not_paid')).toMatchObject({
      ...problem('evidence_missing'),
      about: { detail: expect.stringContaining('no search by destination'), batchId },
    });
    expect(standing()?.status).toBe('quarantined');
    scene.provider.listByDestination = async () => [];
    expect(await settle('not_paid')).toMatchObject({ status: 200 });
  });

  it.each([
    ['fiat', 'forever'],
    ['fiat', 24],
    ['crypto', 'forever'],
    ['crypto', 24],
  ] as const)('promises unique references on the rail %s (%s), needs none', async (rail, hours) => {
    const { scene, settle } = await quarantined(rail);
    Object.assign(scene.provider, { traits: promising(rail, hours) });
    scene.provider.listByDestination = () => Promise.reject(new Error('not searched'));
    expect(await settle('not_paid')).toMatchObject({ status: 200 });
  });
});
