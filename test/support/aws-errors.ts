import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';

/** What every error of the SDK is made with. */
export const awsErrorFields = { $metadata: {}, message: 'm' };

/** A transaction that was canceled, with the reason of each of its writes. */
export const canceled = (...codes: readonly string[]): TransactionCanceledException =>
  new TransactionCanceledException({ ...awsErrorFields, CancellationReasons: codes.map((Code) => ({ Code })) });
