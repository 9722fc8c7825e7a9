import type { ProviderTraits } from '../settings.ts';

/** The traits that nothing but a payment would tell, as they are set. */
export const takenOnTrust = (traits: ProviderTraits): readonly string[] => [
  `payoutsPerCall ${traits.payoutsPerCall}`,
  `fiatReferenceUniqueHours ${traits.fiatReferenceUniqueHours}`,
  `hiddenHours ${traits.hiddenHours.fiat} (fiat), ${traits.hiddenHours.crypto} (crypto)`,
  `words.balanceTooLow ${JSON.stringify(traits.words.balanceTooLow)}`,
  `words.taken ${JSON.stringify(traits.words.taken)}`,
];
