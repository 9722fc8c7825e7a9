import { describe, expect, it } from 'vitest';
import { settingsFrom } from '../../../../infra/settings.ts';
import { newStage, throwawayStage } from '../../../../infra/verify/throwaway-stage.ts';

describe('the stage of a run', () => {
  it.each([0, 0.5, 0.999_999])('has a valid name for any random number (%d)', (chance) => {
    const stage = newStage(() => chance);
    expect(settingsFrom({ stage }, undefined).stage).toBe(stage);
    expect(throwawayStage(stage)).toBe(stage);
  });

  it('is different each time', () => {
    expect(new Set(Array.from({ length: 1000 }, () => newStage(Math.random))).size).toBe(1000);
  });

  it.each(['production', 'staging', 'local', 'throwaway', 'throwaways', 'not-throwaway-1', ''])(
    'is never "%s", which must not be deleted',
    (stage) => {
      expect(() => throwawayStage(stage)).toThrow(`"${stage}" is not a throwaway stage, so nothing was done`);
    },
  );
});
