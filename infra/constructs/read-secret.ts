import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { acknowledge } from './acknowledge.ts';
import type { NodeFunction } from './node-function.ts';

/**
 * Lets a function read one secret that is known by its name. Grants of the Secret construct would name it by its
 * reference, which is its ARN on AWS and its name on the local AWS.
 */
export function allowReadingSecret(reader: NodeFunction, secret: ISecret): void {
  const { secretName } = secret;
  reader.allow(['secretsmanager:GetSecretValue'], [`${secret.secretArn}-??????`]);
  acknowledge(
    reader.role ?? reader,
    `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:secretsmanager:${secret.env.region}:<AWS::AccountId>:secret:${secretName}-??????]`,
    'Secrets Manager puts six characters after a name, which are not known beforehand.',
  );
}
