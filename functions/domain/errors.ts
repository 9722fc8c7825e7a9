/** Names that RecordFailure tells failures apart by: one constant for thrower and catcher. */
export const errorNames = {
  /** Outage of the provider: worth another try. */
  providerUnavailable: 'ProviderUnavailable',
  /** What is set does not fit the provider: a secret, its address, a trait. */
  providerMisconfigured: 'ProviderMisconfigured',
  /** The provider refused: a person must act. */
  providerRefused: 'ProviderRefused',
  /** The provider gives no estimate of crypto fees: a batch with crypto cannot be priced. */
  noFeeEstimate: 'NoFeeEstimate',
  /** The ledger or a file says something that cannot be: nothing goes on. */
  invariantBroken: 'InvariantBroken',
  /** A file that a plan wrote is another one now: somebody else wrote to the bucket. */
  fileAltered: 'FileAltered',
  /** Money of two currencies met: nothing goes on. */
  currencyMismatch: 'CurrencyMismatch',
} as const;

export class ProviderUnavailable extends Error {
  override readonly name: string = errorNames.providerUnavailable;
}

/** Most likely; a moment's trouble may look the same. So it is tried again like any outage, and told apart once that is over. */
export class ProviderMisconfigured extends ProviderUnavailable {
  override readonly name = errorNames.providerMisconfigured;
}

export class ProviderRefused extends Error {
  override readonly name = errorNames.providerRefused;
}

export class NoFeeEstimate extends Error {
  override readonly name = errorNames.noFeeEstimate;
}

export class InvariantBroken extends Error {
  override readonly name = errorNames.invariantBroken;
}

export class FileAltered extends Error {
  override readonly name = errorNames.fileAltered;
}

/** Money of one currency was added to, or compared with, money of another. */
export class CurrencyMismatch extends Error {
  override readonly name = errorNames.currencyMismatch;

  constructor(one: string, other: string) {
    super(`${one} and ${other}`);
  }
}

/** A function of the operator API ended in an error, where it should have answered one. */
export class OperatorApiFailed extends Error {
  override readonly name = 'OperatorApiFailed';
}

/** For what may wait until the provider answers again: undefined in place of ProviderUnavailable; anything else is thrown on. */
export const unlessUnavailable = (error: unknown): undefined => {
  if (!(error instanceof ProviderUnavailable)) throw error;
};

/** For a file that pays nobody when it is altered: undefined in place of FileAltered; anything else is thrown on. */
export const unlessAltered = (error: unknown): undefined => {
  if (!(error instanceof FileAltered)) throw error;
};

/** A list was asked to go on from a cursor that no list gave out: the caller's mistake, a 400 at the API. */
export class InvalidCursor extends Error {
  override readonly name = 'InvalidCursor';
}
