import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';

/** Fields that every error of the SDK needs. */
export const awsErrorFields = { $metadata: {}, message: 'm' };

/** A canceled transaction, with one reason per write. */
export const canceled = (...codes: readonly string[]): TransactionCanceledException =>
  new TransactionCanceledException({ ...awsErrorFields, CancellationReasons: codes.map((Code) => ({ Code })) });
