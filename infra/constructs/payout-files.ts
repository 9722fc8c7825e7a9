import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { BlockPublicAccess, Bucket, BucketEncryption, CfnBucket, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { acknowledge, acknowledgeWildcard } from './acknowledge.ts';
import type { DataKey } from './data-key.ts';
import type { NodeFunction } from './node-function.ts';

/** What a function may do with the files. Uploads are the merchant's and never written; `batches/` is ours. */
export type FilesAccess = 'findUploads' | 'readUploads' | 'readBatches' | 'writeBatches';

/** Payout files as uploaded (`uploads/`), and what the batches make of them (`batches/`): plans, proofs and reports. */
export class PayoutFiles extends Construct {
  readonly bucket: Bucket;
  readonly #key: DataKey;

  constructor(scope: Construct, id: string, props: { readonly key: DataKey; readonly lasting: boolean }) {
    super(scope, id);
    this.#key = props.key;
    const common = {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      removalPolicy: props.lasting ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    };
    const accessLogs = new Bucket(this, 'AccessLogs', {
      ...common,
      encryption: BucketEncryption.S3_MANAGED,
      lifecycleRules: [{ expiration: Duration.days(365) }],
    });
    acknowledge(
      accessLogs,
      'AwsSolutions-S1',
      'This bucket holds the access logs; logging its own access would never end.',
    );
    this.bucket = new Bucket(this, 'Bucket', {
      ...common,
      versioned: true,
      encryption: BucketEncryption.KMS,
      encryptionKey: props.key,
      bucketKeyEnabled: true,
      lifecycleRules: [
        { abortIncompleteMultipartUploadAfter: Duration.days(7) },
        // A batch pins the version it pays from, so versions are kept: only ones replaced long ago go.
        { prefix: 'uploads/', noncurrentVersionExpiration: Duration.days(400) },
      ],
    });
    this.#logAccessTo(accessLogs);
  }

  /** Said to CloudFormation itself: the Bucket class cannot be given to a Bucket under exact optional types. */
  #logAccessTo(accessLogs: Bucket): void {
    const resource = this.bucket.node.defaultChild;
    if (!CfnBucket.isCfnBucket(resource)) throw new Error('A bucket is made of one CloudFormation resource');
    resource.loggingConfiguration = { destinationBucketName: accessLogs.bucketName, logFilePrefix: 'files/' };
    accessLogs.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('logging.s3.amazonaws.com')],
        actions: ['s3:PutObject'],
        resources: [accessLogs.arnForObjects('files/*')],
        conditions: { StringEquals: { 'aws:SourceAccount': this.bucket.stack.account } },
      }),
    );
  }

  /** Allows exactly these kinds of access, on their part of the bucket alone. */
  allow(user: NodeFunction, access: readonly FilesAccess[]): void {
    const uploads = this.bucket.arnForObjects('uploads/*');
    const batches = this.bucket.arnForObjects('batches/*');
    for (const kind of access) {
      switch (kind) {
        case 'findUploads':
          // Without leave to list, S3 answers 403 for a key that does not exist, and the caller could not be told.
          user.allow(['s3:ListBucket'], [this.bucket.bucketArn]);
          break;
        case 'readUploads':
          user.allow(['s3:GetObject', 's3:GetObjectVersion'], [uploads]);
          acknowledgeWildcard(
            user.role ?? user,
            uploads,
            'Merchants name their own files; reading is confined to the prefix they upload to.',
          );
          break;
        case 'readBatches':
          user.allow(['s3:GetObject'], [batches]);
          acknowledgeWildcard(
            user.role ?? user,
            batches,
            'Files of batches yet to come have no name yet; reading is confined to their prefix.',
          );
          break;
        case 'writeBatches':
          user.allow(['s3:PutObject', 's3:AbortMultipartUpload'], [batches]);
          acknowledgeWildcard(
            user.role ?? user,
            batches,
            'Files of batches yet to come have no name yet; writing is confined to their prefix.',
          );
          break;
      }
    }
    if (access.includes('writeBatches')) this.#key.allowWriting(user);
    else this.#key.allowReading(user);
  }
}
