import { Duration } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { BlockPublicAccess, Bucket, BucketEncryption, CfnBucket, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { acknowledge, acknowledgeWildcard } from '../acknowledge.ts';
import type { DataKey } from '../data-key.ts';
import { removalPolicy } from '../lasting.ts';
import type { NodeFunction } from '../node-function.ts';

interface Part {
  readonly reads?: readonly string[];
  readonly writes?: readonly string[];
}

/** Parts of the bucket that a function may read or write, by the keys of functions/files/README.md. */
const parts = {
  readPlans: { reads: ['batches/*/plan-*'] },
  /** Everything that operators get links to. */
  readReports: {
    reads: [
      'batches/*/reports/*',
      'batches/*/plan-*/errors.csv',
      'batches/*/plan-*/to-correct.*',
      'batches/*/plan-*/repeated-debts.csv',
      'batches/*/plan-*/pain-002.xml',
    ],
  },
  readProofs: { reads: ['batches/*/proofs/*'] },
  /** Copies of proofs for a download. The function that writes one also signs the link to it. */
  writeArchives: { reads: ['archives/*'], writes: ['archives/*'] },
  writePlans: { writes: ['batches/*/plan-*'] },
  /** Numbers of the chunks to submit again, never recipients or amounts. */
  writeRounds: { writes: ['batches/*/submit/*'] },
  writeProofs: { writes: ['batches/*/proofs/*'] },
  writeReports: { writes: ['batches/*/reports/*'] },
} as const satisfies Readonly<Record<string, Part>>;

/** What a function may do with the files. Uploads belong to the merchant, so no function writes them. */
export type FilesAccess = 'findUploads' | 'listUploads' | 'readUploads' | 'lockRecords' | keyof typeof parts;

/** Keys that a function with `lockRecords` may lock: the records that it writes. */
const recordsOf = (access: readonly FilesAccess[]): readonly string[] =>
  (['writeProofs', 'writeReports'] as const).flatMap((kind) => (access.includes(kind) ? parts[kind].writes : []));

/** How long proofs and reports stay locked. */
export interface RecordLock {
  readonly mode: 'governance' | 'compliance';
  readonly days: number;
}

/**
 * The bucket with the uploaded payout files (`uploads/`), the plans, proofs and reports of batches (`batches/`), copies of proofs
 * for a download (`archives/`), and what the Distributed Map writes (`map-results/`).
 */
export class PayoutFiles extends Construct {
  readonly bucket: Bucket;
  readonly #key: DataKey;
  readonly #lock: RecordLock | undefined;

  constructor(scope: Construct, id: string, props: { readonly key: DataKey; readonly lock: RecordLock | undefined }) {
    super(scope, id);
    this.#key = props.key;
    this.#lock = props.lock;
    const common = {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      removalPolicy: removalPolicy(this),
    };
    const accessLogs = new Bucket(this, 'AccessLogs', {
      ...common,
      versioned: true,
      encryption: BucketEncryption.S3_MANAGED,
      lifecycleRules: [{ expiration: Duration.days(365), noncurrentVersionExpiration: Duration.days(30) }],
    });
    acknowledge(
      accessLogs,
      'AwsSolutions-S1',
      'This bucket holds the access logs. Logging access to it would never end.',
    );
    this.bucket = new Bucket(this, 'Bucket', {
      ...common,
      versioned: true,
      encryption: BucketEncryption.KMS,
      encryptionKey: props.key,
      bucketKeyEnabled: true,
      // This alone locks nothing. Each record is locked when it is written, and payout files never are.
      ...(props.lock && { objectLockEnabled: true }),
      lifecycleRules: [
        { abortIncompleteMultipartUploadAfter: Duration.days(7) },
        // Copies of proofs for a download.
        { prefix: 'archives/', expiration: Duration.days(1), noncurrentVersionExpiration: Duration.days(1) },
        // A batch pays from a fixed version of its file, so only versions replaced long ago expire.
        { prefix: 'uploads/', noncurrentVersionExpiration: Duration.days(400) },
      ],
    });
    this.#logAccessTo(accessLogs);
  }

  /** Uses the CloudFormation resource, because the type of Bucket does not fit under exact optional types. */
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

  /** Environment variables for a function with this access. */
  environment(access: readonly FilesAccess[]): Readonly<Record<string, string>> {
    const lock = access.includes('lockRecords') ? this.#lock : undefined;
    return {
      FILES_BUCKET: this.bucket.bucketName,
      ...(lock && { RECORD_LOCK: JSON.stringify({ mode: lock.mode.toUpperCase(), days: lock.days }) }),
    };
  }

  #allowPart(user: NodeFunction, part: Part): void {
    this.#allowOn(user, ['s3:GetObject'], part.reads ?? []);
    this.#allowOn(user, ['s3:PutObject', 's3:AbortMultipartUpload'], part.writes ?? []);
  }

  #allowOn(user: NodeFunction, actions: readonly string[], keys: readonly string[]): void {
    for (const objects of keys.map((key) => this.bucket.arnForObjects(key))) {
      user.allow(actions, [objects]);
      acknowledgeWildcard(
        user.role,
        objects,
        'Files are named after future batches. Access is limited to one kind of files.',
      );
    }
  }

  /** Grants exactly these kinds of access, each on its part of the bucket. */
  allow(user: NodeFunction, access: readonly FilesAccess[]): void {
    const uploads = this.bucket.arnForObjects('uploads/*');
    let writes = false;
    for (const kind of access) {
      switch (kind) {
        case 'findUploads':
          // Without this right S3 returns 403 for a key that does not exist, and the API could not report that.
          user.allow(['s3:ListBucket'], [this.bucket.bucketArn]);
          break;
        case 'listUploads':
          user.allow(['s3:ListBucketVersions'], [this.bucket.bucketArn], {
            StringLike: { 's3:prefix': 'uploads/*' },
          });
          break;
        case 'readUploads':
          user.allow(['s3:GetObject', 's3:GetObjectVersion'], [uploads]);
          acknowledgeWildcard(
            user.role,
            uploads,
            'Merchants name their own files. Reading is limited to the prefix for uploads.',
          );
          break;
        case 'lockRecords':
          if (this.#lock !== undefined) this.#allowOn(user, ['s3:PutObjectRetention'], recordsOf(access));
          break;
        default:
          this.#allowPart(user, parts[kind]);
          writes ||= 'writes' in parts[kind];
      }
    }
    if (writes) this.#key.allowWriting(user);
    else this.#key.allowReading(user);
  }
}
