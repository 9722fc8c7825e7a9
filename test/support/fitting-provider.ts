import type { ProviderCheck } from '../../functions/ports/provider-check.ts';

/** A provider that what is set fits, where a test is about something else. */
export const fittingProvider: ProviderCheck = { settingsHash: 'as set', run: async () => ({ kind: 'fits' }) };
