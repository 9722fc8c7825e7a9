import type { Rail } from '../../domain/payout.ts';
import type { PaymentServiceClient } from '../client/payment-service-client.ts';
import { isLacking, messageWithoutPersonalData, says } from '../refusal.ts';
import type { ServiceAnswer } from '../service-answer.ts';
import type { ProviderTraits } from '../settings.ts';
import type { Finding } from './finding.ts';
import { failed, good, isPassing, note, refusesCredentials, tellAnswer, wrong } from './finding.ts';

const checkLookUp = (what: string, answer: ServiceAnswer<unknown>, absent: readonly string[]): Finding => {
  if (answer.kind === 'succeeded')
    return wrong(what, 'answers with a record', 'The look-up ignores what it is asked: no lost call can be resolved.');
  const isAbsence = answer.kind === 'refused' && answer.statusCode === 404;
  if (!isAbsence) {
    if (answer.kind !== 'refused' || refusesCredentials(answer) || isPassing(answer)) return failed(what, answer);
    return wrong(what, tellAnswer(answer), 'Only a 404 proves absence: what is in doubt would rest with a person.');
  }
  if (says(absent, answer.message)) return good(what, tellAnswer(answer));
  const phrase = JSON.stringify([messageWithoutPersonalData(answer.message)]);
  return wrong(
    what,
    tellAnswer(answer),
    `If it says this of disbursements alone, set provider.traits.words.absent to ${phrase}, without what names the reference.`,
  );
};

const checkProof = (what: string, answer: ServiceAnswer<unknown>): Finding => {
  const isRouteless = answer.kind === 'unknown' && isLacking(answer);
  if (isRouteless) return note(what, tellAnswer(answer), 'It gives no proofs: set provider.traits.hasProofs to false.');
  if (answer.kind === 'succeeded') return wrong(what, 'answers with a PDF', 'Its proofs prove nothing.');
  const isNone = answer.kind === 'refused' && (answer.statusCode === 404 || answer.statusCode === 400);
  if (isNone) return good(what, tellAnswer(answer));
  return answer.kind === 'refused' && !refusesCredentials(answer)
    ? note(what, tellAnswer(answer), 'Proofs would not be archived.')
    : failed(what, answer);
};

const proof = 'proof of an unknown disbursement';

/** What is said of a reference of a rail that nobody has used. */
export const checkLookUpOf = async (
  client: PaymentServiceClient,
  rail: Rail,
  unused: string,
  absent: readonly string[],
): Promise<Finding> => {
  const of = rail === 'fiat' ? client.fiatDisbursements : client.cryptoDisbursements;
  return checkLookUp(`${rail} look-up of an unknown reference`, await of.find(unused), absent);
};

/** What is said of a reference, and of an id, that nobody has used. */
export const checkAbsence = async (
  client: PaymentServiceClient,
  unused: string,
  { absent, hasProofs }: Pick<ProviderTraits['words'], 'absent'> & Pick<ProviderTraits, 'hasProofs'>,
): Promise<readonly Finding[]> => [
  await checkLookUpOf(client, 'fiat', unused, absent),
  await checkLookUpOf(client, 'crypto', unused, absent),
  hasProofs
    ? checkProof(proof, await client.fiatDisbursements.proof(unused))
    : note(proof, 'not asked: provider.traits.hasProofs is false'),
];
