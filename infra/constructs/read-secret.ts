import { Stack } from 'aws-cdk-lib';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { acknowledgeWildcard } from './acknowledge.ts';
import type { NodeFunction } from './node-function.ts';

/**
 * Lets a function read one secret by its name. The Secret construct's own grant would use its reference, which is its ARN on
 * AWS and its name on the local AWS.
 *
 * @param keyArn the customer-managed key of the secret. The reader may use it for this secret only
 */
export const allowReadingSecret = (reader: NodeFunction, secret: ISecret, keyArn?: string): void => {
  const arn = `${secret.secretArn}-??????`;
  reader.allow(['secretsmanager:GetSecretValue'], [arn]);
  if (keyArn !== undefined) {
    const { region, urlSuffix } = Stack.of(reader);
    reader.allow(['kms:Decrypt'], [keyArn], {
      StringEquals: { 'kms:ViaService': `secretsmanager.${region}.${urlSuffix}` },
      StringLike: { 'kms:EncryptionContext:SecretARN': arn },
    });
  }
  acknowledgeWildcard(reader.role, arn, 'Secrets Manager appends six random characters to a name.');
};
