/**
 * Error names by which RecordFailure distinguishes failures. `batch.asl.json` repeats those that PlanBatch does not retry; a test
 * compares them.
 *
 * Messages of these errors leave a step: they are logged and kept in the execution's history. So they contain only endpoints,
 * ids, counts, codes and fixed words. Those of ProviderMisconfigured may also quote the provider, without personal data.
 */
export const errorNames = {
  /** The provider is down or does not answer. Retry. */
  providerUnavailable: 'ProviderUnavailable',
  /** A setting does not fit the provider: a secret, its address, or a trait. */
  providerMisconfigured: 'ProviderMisconfigured',
  /** The provider refused. A person must act. */
  providerRefused: 'ProviderRefused',
  /** The batch was planned for another account of the merchant. A person must act. */
  accountChanged: 'AccountChanged',
  /** The provider gives no estimate of crypto fees, so a batch with crypto cannot be priced. */
  noFeeEstimate: 'NoFeeEstimate',
  /** The ledger or a file contains something impossible. The step does nothing with it, and a person looks. */
  invariantBroken: 'InvariantBroken',
  /** A file that a plan wrote, or a transfer proof, has changed. Someone else wrote to the bucket. */
  fileAltered: 'FileAltered',
  /** Money of two currencies was mixed. The step does nothing with it, and a person looks. */
  currencyMismatch: 'CurrencyMismatch',
} as const;
export type ErrorName = (typeof errorNames)[keyof typeof errorNames];

/** A class of errors with this name, by which logs and the state machine tell them apart. */
const named = <const Name extends string>(name: Name) =>
  class extends Error {
    override readonly name = name;
  };

/** Its name is any text, so that a subclass can have a name of its own. */
export class ProviderUnavailable extends named<string>(errorNames.providerUnavailable) {}

/**
 * Probably a misconfiguration, but a short outage can look the same. It is retried like an outage, and reported as its own error
 * when the retries end.
 */
export class ProviderMisconfigured extends ProviderUnavailable {
  override readonly name = errorNames.providerMisconfigured;
}

export class ProviderRefused extends named(errorNames.providerRefused) {}

export class AccountChanged extends named(errorNames.accountChanged) {}

export class NoFeeEstimate extends named(errorNames.noFeeEstimate) {}

export class InvariantBroken extends named(errorNames.invariantBroken) {}

export class FileAltered extends named(errorNames.fileAltered) {}

/**
 * A file is not there anymore, or may not be read: without the right to list, S3 answers the same. A step that needs it fails
 * as with any unexpected error, and never goes on as if the file were empty.
 */
export class FileGone extends named('FileGone') {}

/** Money of one currency was added to, or compared with, money of another. */
export class CurrencyMismatch extends named(errorNames.currencyMismatch) {
  constructor(one: string, other: string) {
    super(`${one} and ${other}`);
  }
}

/** A function of the operator API failed instead of returning a response. */
export class OperatorApiFailed extends named('OperatorApiFailed') {}

/** A list request carried a cursor that no list returned. This is the caller's mistake: the API returns 400. */
export class InvalidCursor extends named('InvalidCursor') {}

/** True when the error is one that the provider's port documents for a failed read. */
export const isProviderError = (error: unknown): error is ProviderUnavailable | ProviderRefused =>
  error instanceof ProviderUnavailable || error instanceof ProviderRefused;

/**
 * The code of a failed read, for people: `status_503`, `timeout`. The adapter gives it as the error's `cause`. Without one, the
 * error's name.
 */
export const codeOf = ({ name, cause }: ProviderUnavailable | ProviderRefused): string =>
  typeof cause === 'string' ? cause : name;

/** The error's name, for logs: a message may quote its input. `unknown` when something other than an Error was thrown. */
export const nameOfError = (error: unknown): string => (error instanceof Error ? error.name : 'unknown');

/** Catches errors of these kinds and returns undefined. Rethrows anything else. */
export const unless =
  (...kinds: readonly (abstract new (...of: never[]) => Error)[]) =>
  (error: unknown): undefined => {
    if (!kinds.some((kind) => error instanceof kind)) throw error;
  };
/** For work that can wait until the provider answers again. Also catches ProviderMisconfigured. */
export const unlessUnavailable = unless(ProviderUnavailable);
/** For a read whose failure decides nothing. Catches what the provider's port documents. */
export const unlessProviderFails = unless(ProviderUnavailable, ProviderRefused);
/** For a chunk file: an altered one pays nobody, and the caller decides what follows. */
export const unlessAltered = unless(FileAltered);
/** For a file that others can do without, even when it was deleted. */
export const unlessAlteredOrGone = unless(FileAltered, FileGone);

/** Reasons for which DynamoDB cancels a transaction that may succeed unchanged a moment later. */
export const transientReasons: readonly (string | undefined)[] = [
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
];
