import { Stack } from 'aws-cdk-lib';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { removalPolicy } from './lasting.ts';
import type { NodeFunction } from './node-function.ts';

/** The key that encrypts all data of a stack. Without the right to use it, no other right is enough to read the data. */
export class DataKey extends Key {
  /** @param holds names the encrypted data in the key's description */
  constructor(scope: Construct, id: string, holds: string) {
    super(scope, id, {
      description: `${Stack.of(scope).stackName}: ${holds}`,
      enableKeyRotation: true,
      removalPolicy: removalPolicy(scope),
    });
  }

  /** Grants what callers of S3 and DynamoDB need for reading encrypted data. */
  allowReading(reader: NodeFunction): void {
    reader.allow(['kms:Decrypt', 'kms:DescribeKey'], [this.keyArn]);
  }

  /** Grants reading and new data keys. Multipart uploads and updates of tables decrypt these again. */
  allowWriting(writer: NodeFunction): void {
    writer.allow(
      [
        'kms:Decrypt',
        'kms:DescribeKey',
        'kms:Encrypt',
        'kms:GenerateDataKey',
        'kms:GenerateDataKeyWithoutPlaintext',
        'kms:ReEncryptFrom',
        'kms:ReEncryptTo',
      ],
      [this.keyArn],
    );
  }
}
