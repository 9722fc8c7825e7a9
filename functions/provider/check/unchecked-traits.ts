import { rails } from '../../domain/payout/payout.ts';
import type { ProviderTraits } from '../../ports/provider.ts';
import type { ProviderTraits as DocumentedTraits } from '../settings.ts';

/** The traits that only a payment could verify, with their configured values. */
export const uncheckedTraits = (
  traits: ProviderTraits & Partial<Pick<DocumentedTraits, 'words'>>,
): readonly string[] => [
  `payoutsPerCall ${traits.payoutsPerCall}`,
  ...rails.flatMap((rail) => [
    `rails.${rail}.referenceUniqueHours ${traits.rails[rail].referenceUniqueHours}`,
    `rails.${rail}.hiddenHours ${traits.rails[rail].hiddenHours}`,
  ]),
  ...(traits.words === undefined
    ? []
    : [
        `words.balanceTooLow ${JSON.stringify(traits.words.balanceTooLow)}`,
        `words.taken ${JSON.stringify(traits.words.taken)}`,
      ]),
];
