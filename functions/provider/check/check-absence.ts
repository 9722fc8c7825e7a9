import type { Rail } from '../../domain/payout/payout.ts';
import { lacksAllProofs } from '../../domain/payout/proofs.ts';
import type { Finding } from './finding.ts';
import { good, note, wrong } from './finding.ts';
import type { ProviderToCheck } from './provider-to-check.ts';
import { ask } from './provider-to-check.ts';

/** The consequence when a lookup finds a disbursement that was never made. */
export const ignoresReference = 'The lookup ignores the reference it is given, so no lost call can be resolved.';

/** Checks that a lookup of a reference nobody has used answers `absent`. */
export const checkLookUp = (checked: ProviderToCheck, rail: Rail, unused: string): Promise<Finding> => {
  const what = `${rail} lookup of an unknown reference`;
  return ask(checked, { about: 'lookup' }, what, async () => {
    const answer = await checked.provider.lookUp(rail, unused);
    switch (answer.kind) {
      case 'absent':
        return good(what, 'absent');
      case 'found':
        return wrong(what, 'answers with a record', ignoresReference);
      case 'unknown':
        return {
          ...wrong(what, answer.cause, 'A person would have to resolve every payout in doubt.'),
          isTransient: true,
        };
    }
  });
};

/** Checks that a disbursement id nobody has used has no proof. */
export const checkProof = async (checked: ProviderToCheck, unused: string): Promise<Finding> => {
  const what = 'proof of an unknown disbursement';
  if (lacksAllProofs(checked.provider.traits)) return note(what, 'not asked: it has no proofs');
  return ask(checked, { about: 'proof' }, what, async () => {
    const proof = await checked.provider.downloadProof(unused);
    return proof === undefined
      ? good(what, 'none')
      : wrong(what, 'answers with a PDF', 'Its proofs are worthless as evidence.');
  });
};
