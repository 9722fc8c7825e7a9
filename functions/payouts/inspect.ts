import { ProviderRefused, ProviderUnavailable } from '../domain/errors.ts';
import type { Payout } from '../domain/payout.ts';
import { payoutStatusIs } from '../domain/payout-status.ts';
import type { Disbursement, PaymentProvider } from '../ports/provider.ts';
import type { Evidence } from './evidence.ts';
import { weigh } from './evidence.ts';

export type AskedProvider = Pick<PaymentProvider, 'lookUp' | 'listByReference'>;

export interface Question {
  /** The disbursement that an operator says it is. */
  readonly named?: string | undefined;
  /** Asks by every way there is, also for what stands under the reference beside its own disbursement. */
  readonly isThorough?: boolean;
}

type Shown =
  | { readonly kind: 'shown'; readonly disbursements: readonly Disbursement[] }
  | { readonly kind: 'unknown'; readonly cause: string };

/** One look-up by id or reference. */
const lookUp = async (provider: AskedProvider, { rail }: Payout, idOrReference: string): Promise<Shown> => {
  const found = await provider.lookUp(rail, idOrReference);
  switch (found.kind) {
    case 'found':
      return { kind: 'shown', disbursements: [found.disbursement] };
    case 'absent':
      return { kind: 'shown', disbursements: [] };
    case 'unknown':
      return found;
  }
};

/**
 * By its id where one is known, else by its reference. A crypto reference may be used twice and a look-up shows one of
 * them: so what is found by it is searched for as well, and what has ended, since nobody may look at it again.
 */
const ask = async (provider: AskedProvider, payout: Payout, { named, isThorough }: Question): Promise<Shown> => {
  const { rail, reference } = payout;
  const ownId = named ?? payout.disbursementId;
  const disbursements: Disbursement[] = [];
  for (const id of ownId === undefined ? [reference] : isThorough ? [ownId, reference] : [ownId]) {
    const shown = await lookUp(provider, payout, id);
    if (shown.kind === 'unknown') return shown;
    disbursements.push(...shown.disbursements);
  }
  const isSearched =
    isThorough || disbursements.some(({ status }) => ownId === undefined || payoutStatusIs(status, 'isEnd'));
  if (rail === 'crypto' && isSearched) disbursements.push(...(await provider.listByReference(reference)));
  return { kind: 'shown', disbursements };
};

/**
 * Asks the provider about one payout. Never throws for what the provider or the network does: one payout's failed
 * question must not cost the others theirs.
 */
export const inspect = async (provider: AskedProvider, payout: Payout, question: Question = {}): Promise<Evidence> => {
  try {
    const shown = await ask(provider, payout, question);
    if (shown.kind === 'unknown') return { ...shown, isRefused: false };
    const { named } = question;
    // An operator's word names one disbursement: another one is no evidence for it.
    if (named !== undefined && !shown.disbursements.some(({ disbursementId }) => disbursementId === named))
      return { kind: 'absent' };
    return weigh(payout, shown.disbursements, named ?? payout.disbursementId);
  } catch (error) {
    if (error instanceof ProviderRefused) return { kind: 'unknown', cause: error.name, isRefused: true };
    if (error instanceof ProviderUnavailable) return { kind: 'unknown', cause: error.name, isRefused: false };
    throw error;
  }
};
