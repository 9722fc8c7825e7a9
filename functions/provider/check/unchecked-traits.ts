import type { ProviderTraits } from '../../ports/provider.ts';
import type { ProviderTraits as DocumentedTraits } from '../settings.ts';

/** The traits that only a payment could verify, with their configured values. */
export const uncheckedTraits = (
  traits: ProviderTraits & Partial<Pick<DocumentedTraits, 'words'>>,
): readonly string[] => [
  `payoutsPerCall ${traits.payoutsPerCall}`,
  `fiatReferenceUniqueHours ${traits.fiatReferenceUniqueHours}`,
  `hiddenHours ${traits.hiddenHours.fiat} (fiat), ${traits.hiddenHours.crypto} (crypto)`,
  ...(traits.words === undefined
    ? []
    : [
        `words.balanceTooLow ${JSON.stringify(traits.words.balanceTooLow)}`,
        `words.taken ${JSON.stringify(traits.words.taken)}`,
      ]),
];
