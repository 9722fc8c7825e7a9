/** Names that RecordFailure tells failures apart by: one constant for thrower and catcher. */
export const errorNames = {
  /** Outage of the provider: worth another try. */
  providerUnavailable: 'ProviderUnavailable',
  /** The provider refused: a person must act. */
  providerRefused: 'ProviderRefused',
  /** The ledger or a file says something that cannot be: nothing goes on. */
  invariantBroken: 'InvariantBroken',
} as const;

export class ProviderUnavailable extends Error {
  override readonly name = errorNames.providerUnavailable;
}

export class ProviderRefused extends Error {
  override readonly name = errorNames.providerRefused;
}

export class InvariantBroken extends Error {
  override readonly name = errorNames.invariantBroken;
}

/** For what may wait until the provider answers again: undefined in place of ProviderUnavailable; anything else is thrown on. */
export const unlessUnavailable = (error: unknown): undefined => {
  if (!(error instanceof ProviderUnavailable)) throw error;
};

/** A list was asked to go on from a cursor that no list gave out: the caller's mistake, a 400 at the API. */
export class InvalidCursor extends Error {
  override readonly name = 'InvalidCursor';
}
