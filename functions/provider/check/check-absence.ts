import type { Rail } from '../../domain/payout/payout.ts';
import { lacksAllProofs } from '../../domain/payout/proofs.ts';
import type { Finding } from './finding.ts';
import { good, note, wrong } from './finding.ts';
import type { ProviderToCheck } from './provider-to-check.ts';
import { ask } from './provider-to-check.ts';

/** The consequence when a lookup finds a disbursement that was never made. */
export const ignoresReference = 'The lookup ignores the reference it is given, so no lost call can be resolved.';

/** Checks that a lookup of a reference nobody has used answers `absent`. */
export const checkLookUp = (checked: ProviderToCheck, rail: Rail, unused: string): Promise<Finding> =>
  ask(checked, { about: 'lookup' }, `${rail} lookup of an unknown reference`, async () => {
    const answer = await checked.provider.lookUp(rail, unused);
    switch (answer.kind) {
      case 'absent':
        return good('absent');
      case 'found':
        return wrong('answers with a record', ignoresReference);
      case 'unknown':
        return { ...wrong(answer.cause, 'A person would have to resolve every payout in doubt.'), isTransient: true };
    }
  });

/** Checks that a disbursement id nobody has used has no proof. */
export const checkProof = (checked: ProviderToCheck, unused: string): Promise<Finding> =>
  ask(checked, { about: 'proof' }, 'proof of an unknown disbursement', async () => {
    if (lacksAllProofs(checked.provider.traits)) return note('not asked: it has no proofs');
    const proof = await checked.provider.downloadProof(unused);
    return proof === undefined ? good('none') : wrong('answers with a PDF', 'Its proofs are worthless as evidence.');
  });
