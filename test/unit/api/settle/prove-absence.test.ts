import { describe, expect, it } from 'vitest';
import { FileAltered, FileGone } from '../../../../functions/domain/errors.ts';
import { documentedTraits } from '../../../../functions/provider/settings.ts';
import { batchId } from '../../../support/scenes/batch-scene.ts';
import { problem, quarantined } from './settle-scene.ts';

describe('settling as not paid', () => {
  it.each([0, 24, 'forever'] as const)(
    'searches by destination where the rail has a search, whatever it promises of references (%s)',
    async (referenceUniqueHours) => {
      const { scene, standing, settle } = await quarantined('crypto');
      const traits = documentedTraits();
      const crypto = { ...traits.rails.crypto, referenceUniqueHours };
      Object.assign(scene.provider, { traits: { ...traits, rails: { ...traits.rails, crypto } } });
      scene.provider.destinationSearch = () => async () => [
        scene.disbursementOf('ref-1', { disbursementId: 'd-77', reference: 'another' }),
      ];
      expect(await settle('not_paid')).toMatchObject({ ...problem('evidence_contradicts'), about: { batchId } });
      expect(standing()?.status).toBe('quarantined');
      scene.provider.destinationSearch = () => async () => [];
      expect(await settle('not_paid')).toMatchObject({ status: 200 });
    },
  );

  it.each([
    ['file_altered', new FileAltered('chunks/1.json')],
    ['file_gone', new FileGone('chunks/1.json')],
  ] as const)('is refused when the search would need a file that is unusable (%s)', async (code, error) => {
    const { scene, standing, settle } = await quarantined('crypto');
    scene.provider.destinationSearch = () => async () => [];
    scene.dependencies.files.getChunk = () => Promise.reject(error);
    expect(await settle('not_paid')).toMatchObject(problem(code));
    expect(standing()?.status).toBe('quarantined');
  });

  it('reads no file where a lookup by reference finds every payout', async () => {
    const { scene, settle } = await quarantined('fiat');
    scene.provider.destinationSearch = () => undefined;
    scene.dependencies.files.getChunk = () => Promise.reject(new Error('the file was read'));
    expect(await settle('not_paid')).toMatchObject({ status: 200 });
  });
});
