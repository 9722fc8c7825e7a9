import { Duration } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { BlockPublicAccess, Bucket, BucketEncryption, CfnBucket, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { acknowledge, acknowledgeWildcard } from './acknowledge.ts';
import type { DataKey } from './data-key.ts';
import { removalPolicy } from './lasting.ts';
import type { NodeFunction } from './node-function.ts';

/** What may be read and written of a batch, by the keys of functions/files/README.md; whoever writes one kind writes no other. */
const parts = {
  readPlans: { reads: ['batches/*/plan-*'] },
  /** All that operators get links to. */
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
  /** Copies of proofs for a download: who makes one signs the link to it. */
  writeArchives: { reads: ['archives/*'], writes: ['archives/*'] },
  writePlans: { writes: ['batches/*/plan-*'] },
  /** Which chunks another round of submitting is about; never what is paid to whom. */
  writeRounds: { writes: ['batches/*/submit/*'] },
  writeProofs: { writes: ['batches/*/proofs/*'] },
  writeReports: { writes: ['batches/*/reports/*'] },
} as const satisfies Readonly<
  Record<string, { readonly reads?: readonly string[]; readonly writes?: readonly string[] }>
>;

/** What a function may do with the files. Uploads are the merchant's and never written; `batches/` is ours. */
export type FilesAccess = 'findUploads' | 'listUploads' | 'readUploads' | 'lockRecords' | keyof typeof parts;

/** What may be locked: each kind by who writes it. */
const recordsOf = (access: readonly FilesAccess[]): readonly string[] =>
  (['writeProofs', 'writeReports'] as const).flatMap((kind) => (access.includes(kind) ? parts[kind].writes : []));

/** Proofs and reports are kept locked for so long. */
export interface RecordLock {
  readonly mode: 'governance' | 'compliance';
  readonly days: number;
}

export interface PayoutFilesProps {
  readonly key: DataKey;
  readonly lock: RecordLock | undefined;
}

/** Payout files as uploaded (`uploads/`), and what the batches make of them (`batches/`): plans, proofs and reports. */
export class PayoutFiles extends Construct {
  readonly bucket: Bucket;
  readonly #key: DataKey;
  readonly #lock: RecordLock | undefined;

  constructor(scope: Construct, id: string, props: PayoutFilesProps) {
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
      'This bucket holds the access logs; logging its own access would never end.',
    );
    this.bucket = new Bucket(this, 'Bucket', {
      ...common,
      versioned: true,
      encryption: BucketEncryption.KMS,
      encryptionKey: props.key,
      bucketKeyEnabled: true,
      // Enabled, it locks nothing by itself: each record is locked as it is written, and payout files never are.
      ...(props.lock === undefined ? {} : { objectLockEnabled: true }),
      lifecycleRules: [
        { abortIncompleteMultipartUploadAfter: Duration.days(7) },
        // Copies of proofs, made for a download.
        { prefix: 'archives/', expiration: Duration.days(1), noncurrentVersionExpiration: Duration.days(1) },
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

  /** What a function is told that may do this with the files. */
  environment(access: readonly FilesAccess[]): Readonly<Record<string, string>> {
    const lock = access.includes('lockRecords') ? this.#lock : undefined;
    return {
      FILES_BUCKET: this.bucket.bucketName,
      ...(lock === undefined
        ? {}
        : { RECORD_LOCK: JSON.stringify({ mode: lock.mode.toUpperCase(), days: lock.days }) }),
    };
  }

  #allowPart(
    user: NodeFunction,
    part: { readonly reads?: readonly string[]; readonly writes?: readonly string[] },
  ): void {
    this.#allowOn(user, ['s3:GetObject'], part.reads ?? []);
    this.#allowOn(user, ['s3:PutObject', 's3:AbortMultipartUpload'], part.writes ?? []);
  }

  #allowOn(user: NodeFunction, actions: readonly string[], keys: readonly string[]): void {
    for (const objects of keys.map((key) => this.bucket.arnForObjects(key))) {
      user.allow(actions, [objects]);
      acknowledgeWildcard(
        user.role ?? user,
        objects,
        'Files of batches yet to come have no name yet; access is confined to one kind of them.',
      );
    }
  }

  /** Allows exactly these kinds of access, on their part of the bucket alone. */
  allow(user: NodeFunction, access: readonly FilesAccess[]): void {
    const uploads = this.bucket.arnForObjects('uploads/*');
    for (const kind of access) {
      switch (kind) {
        case 'findUploads':
          // Without leave to list, S3 answers 403 for a key that does not exist, and the caller could not be told.
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
            user.role ?? user,
            uploads,
            'Merchants name their own files; reading is confined to the prefix they upload to.',
          );
          break;
        case 'lockRecords':
          if (this.#lock !== undefined) this.#allowOn(user, ['s3:PutObjectRetention'], recordsOf(access));
          break;
        default:
          this.#allowPart(user, parts[kind]);
      }
    }
    if (access.some((kind) => kind.startsWith('write'))) this.#key.allowWriting(user);
    else this.#key.allowReading(user);
  }
}
