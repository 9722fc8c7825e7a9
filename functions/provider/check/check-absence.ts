import type { Rail } from '../../domain/payout/payout.ts';
import type { Finding } from './finding.ts';
import { good, note, wrong } from './finding.ts';
import type { ProviderToCheck } from './provider-to-check.ts';
import { ask } from './provider-to-check.ts';

/** What follows where a look-up finds what was never made. */
export const ignoresReference = 'The look-up ignores what it is asked: no lost call can be resolved.';

/** What is said of a reference of a rail that nobody has used. */
export const checkLookUp = (checked: ProviderToCheck, rail: Rail, unused: string): Promise<Finding> => {
  const what = `${rail} look-up of an unknown reference`;
  return ask(checked, { of: 'look-up', rail }, what, async () => {
    const answer = await checked.provider.lookUp(rail, unused);
    switch (answer.kind) {
      case 'absent':
        return good(what, 'absent');
      case 'found':
        return wrong(what, 'answers with a record', ignoresReference);
      case 'unknown':
        return { ...wrong(what, answer.cause, 'What is in doubt would rest with a person.'), isPassing: true };
    }
  });
};

/** What is said of the proof of an id that nobody has used. */
export const checkProof = async (checked: ProviderToCheck, unused: string): Promise<Finding> => {
  const what = 'proof of an unknown disbursement';
  if (!checked.provider.traits.hasProofs) return note(what, 'not asked: it gives no proofs');
  return ask(checked, { of: 'proof' }, what, async () => {
    const proof = await checked.provider.downloadProof(unused);
    return proof === undefined ? good(what, 'none') : wrong(what, 'answers with a PDF', 'Its proofs prove nothing.');
  });
};
