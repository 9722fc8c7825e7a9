import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { NodeFunction } from './node-function.ts';
import { allowReadingSecret } from './read-secret.ts';

export interface ProviderAccount {
  /** Where the payment service is, without a slash at the end. */
  readonly baseUrl: string;
  readonly secretName: string;
  /** Name of the signing scheme. */
  readonly signing: string;
}

/** The account of the payment service that payouts are made from: where it is, and leave to read its credentials. */
export class ProviderAccess extends Construct {
  readonly environment: Readonly<Record<string, string>>;
  readonly #secret: ISecret;

  constructor(scope: Construct, id: string, account: ProviderAccount) {
    super(scope, id);
    // By name, since the secret's reference is its name in one place and its ARN in another.
    this.#secret = Secret.fromSecretNameV2(this, 'Credentials', account.secretName);
    this.environment = {
      PROVIDER_BASE_URL: account.baseUrl,
      PROVIDER_SECRET_NAME: account.secretName,
      PROVIDER_SIGNING: account.signing,
    };
  }

  allow(user: NodeFunction): void {
    allowReadingSecret(user, this.#secret);
  }
}
