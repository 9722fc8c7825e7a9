import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { acknowledgeWildcard } from './acknowledge.ts';
import type { NodeFunction } from './node-function.ts';

/**
 * Lets a function read one secret that is known by its name. Grants of the Secret construct would name it by its
 * reference, which is its ARN on AWS and its name on the local AWS.
 */
export function allowReadingSecret(reader: NodeFunction, secret: ISecret): void {
  const arn = `${secret.secretArn}-??????`;
  reader.allow(['secretsmanager:GetSecretValue'], [arn]);
  acknowledgeWildcard(
    reader.role ?? reader,
    arn,
    'Secrets Manager puts six characters after a name, which are not known beforehand.',
  );
}
