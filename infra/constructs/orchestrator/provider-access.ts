import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { ProviderTraits } from '../../../functions/provider/settings.ts';
import type { NodeFunction } from '../node-function.ts';
import { allowReadingSecret } from '../read-secret.ts';
import type { ProviderNetwork } from './provider-network.ts';

export interface ProviderAccount {
  /** Address of the payment service, without a slash at the end. */
  readonly baseUrl: string;
  /** Holds `clientId` and `clientSecret`. They sign lookups, lists, quotes and proofs, and cannot move money. */
  readonly signingSecretName: string;
  /** Holds `apiKey`. It authorizes everything that moves money, and reads of balances and payment methods. */
  readonly authorizationSecretName: string;
  /** The KMS key of both secrets, unless AWS manages it. */
  readonly secretsKeyArn?: string;
  /** Name of the signing scheme. */
  readonly signing: string;
  /** How the provider behaves where its document is silent. */
  readonly traits: ProviderTraits;
  /** Limits for all functions together. 0 sets no limit. */
  readonly postsPerSecond: number;
  readonly readsPerSecond: number;
}

/** Which of the two secrets a function may read. */
export type ProviderCredential = 'signing' | 'authorization';

/** The provider's account that makes the payouts: its address, and the right to read its credentials. */
export class ProviderAccess extends Construct {
  readonly #account: ProviderAccount;
  readonly #network: ProviderNetwork | undefined;
  readonly #secrets: Readonly<Record<ProviderCredential, ISecret>>;

  /** @param network for the functions that call the provider. Without it they use no VPC */
  constructor(scope: Construct, id: string, account: ProviderAccount, network?: ProviderNetwork) {
    super(scope, id);
    this.#account = account;
    this.#network = network;
    // By name, because a secret's reference is its ARN on AWS and its name on the local AWS.
    this.#secrets = {
      signing: Secret.fromSecretNameV2(this, 'Signing', account.signingSecretName),
      authorization: Secret.fromSecretNameV2(this, 'Authorization', account.authorizationSecretName),
    };
  }

  /** Environment variables for a function with these credentials. They do not name the other secret. */
  environment(credentials: readonly ProviderCredential[]): Readonly<Record<string, string>> {
    const { baseUrl, signing, traits, signingSecretName, authorizationSecretName } = this.#account;
    return {
      PROVIDER_BASE_URL: baseUrl,
      PROVIDER_SIGNING: signing,
      PROVIDER_TRAITS: JSON.stringify(traits),
      ...this.limits(),
      ...(credentials.includes('signing') && { PROVIDER_SIGNING_SECRET_NAME: signingSecretName }),
      ...(credentials.includes('authorization') && { PROVIDER_AUTHORIZATION_SECRET_NAME: authorizationSecretName }),
    };
  }

  /** Environment variables for a function that keeps or reports the provider's rate limits. */
  limits(): Readonly<Record<string, string>> {
    const { postsPerSecond, readsPerSecond } = this.#account;
    return { PROVIDER_POSTS_PER_SECOND: String(postsPerSecond), PROVIDER_READS_PER_SECOND: String(readsPerSecond) };
  }

  /** Lets a function call the provider: it may read these credentials, and is in the network that the provider expects. */
  allow(user: NodeFunction, credentials: readonly ProviderCredential[]): void {
    this.#network?.connect(user);
    for (const one of credentials) allowReadingSecret(user, this.#secrets[one], this.#account.secretsKeyArn);
  }
}
