import { Stack } from 'aws-cdk-lib';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { removalPolicy } from './lasting.ts';
import type { NodeFunction } from './node-function.ts';

/** The key that everything of a stack is encrypted with. Whoever may not use it reads nothing, whatever else it may do. */
export class DataKey extends Key {
  /** @param holds what is encrypted with it */
  constructor(scope: Construct, id: string, holds: string) {
    super(scope, id, {
      description: `${Stack.of(scope).stackName}: ${holds}`,
      enableKeyRotation: true,
      removalPolicy: removalPolicy(scope),
    });
  }

  /** What a caller of S3 or DynamoDB needs of the key to read what is encrypted with it. */
  allowReading(reader: NodeFunction): void {
    reader.allow(['kms:Decrypt', 'kms:DescribeKey'], [this.keyArn]);
  }

  /** Writing also needs new data keys; they are unpacked again to check multipart uploads and to update tables. */
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
