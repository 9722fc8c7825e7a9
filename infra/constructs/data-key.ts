import { RemovalPolicy } from 'aws-cdk-lib';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { NodeFunction } from './node-function.ts';

/** The key that everything of a stack is encrypted with. Whoever may not use it reads nothing, whatever else it may do. */
export class DataKey extends Key {
  constructor(
    scope: Construct,
    id: string,
    { lasting, description }: { readonly lasting: boolean; readonly description: string },
  ) {
    super(scope, id, {
      description,
      enableKeyRotation: true,
      removalPolicy: lasting ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
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
