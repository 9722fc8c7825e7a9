import { Stack } from 'aws-cdk-lib';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { acknowledgeWildcard } from './acknowledge.ts';
import type { NodeFunction } from './node-function.ts';

/**
 * Lets a function read one secret that is known by its name. Grants of the Secret construct would name it by its
 * reference, which is its ARN on AWS and its name on the local AWS.
 *
 * @param keyArn the key of one's own that it is encrypted with: the reader may decrypt this secret by it, and nothing else
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
  acknowledgeWildcard(
    reader.role ?? reader,
    arn,
    'Secrets Manager puts six characters after a name, which are not known beforehand.',
  );
};
