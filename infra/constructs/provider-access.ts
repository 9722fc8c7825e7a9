import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { ProviderTraits } from '../../functions/provider/settings.ts';
import type { NodeFunction } from './node-function.ts';
import type { ProviderNetwork } from './provider-network.ts';
import { allowReadingSecret } from './read-secret.ts';

export interface ProviderAccount {
  /** Where the payment service is, without a slash at the end. */
  readonly baseUrl: string;
  /** Holds `clientId` and `clientSecret`: they sign look-ups, lists, quotes and proofs, and move nothing. */
  readonly signingSecretName: string;
  /** Holds `apiKey`: it authorizes what moves money, and reading balances and payment methods. */
  readonly authorizationSecretName: string;
  /** The key that both secrets are encrypted with, unless it is the one that AWS manages for secrets. */
  readonly secretsKeyArn?: string;
  /** Name of the signing scheme. */
  readonly signing: string;
  /** What is its own where the document is silent. */
  readonly traits: ProviderTraits;
  /** Requests a second, for all functions together; 0 sets no limit. */
  readonly postsPerSecond: number;
  readonly readsPerSecond: number;
}

/** Which of the two secrets a function may read. */
export type ProviderCredential = 'signing' | 'authorization';

/** The account of the payment service that payouts are made from: where it is, and leave to read its credentials. */
export class ProviderAccess extends Construct {
  readonly #account: ProviderAccount;
  readonly #network: ProviderNetwork | undefined;
  readonly #secrets: Readonly<Record<ProviderCredential, ISecret>>;

  /** @param network that the provider's callers are placed in; they are in none otherwise */
  constructor(scope: Construct, id: string, account: ProviderAccount, network?: ProviderNetwork) {
    super(scope, id);
    this.#account = account;
    this.#network = network;
    // By name, since the secret's reference is its name in one place and its ARN in another.
    this.#secrets = {
      signing: Secret.fromSecretNameV2(this, 'Signing', account.signingSecretName),
      authorization: Secret.fromSecretNameV2(this, 'Authorization', account.authorizationSecretName),
    };
  }

  /** What a function is told that may read these credentials; of the others it does not even know the name. */
  environment(credentials: readonly ProviderCredential[]): Readonly<Record<string, string>> {
    const { baseUrl, signing, traits, signingSecretName, authorizationSecretName } = this.#account;
    return {
      PROVIDER_BASE_URL: baseUrl,
      PROVIDER_SIGNING: signing,
      PROVIDER_TRAITS: JSON.stringify(traits),
      ...this.limits(),
      ...(credentials.includes('signing') ? { PROVIDER_SIGNING_SECRET_NAME: signingSecretName } : {}),
      ...(credentials.includes('authorization') ? { PROVIDER_AUTHORIZATION_SECRET_NAME: authorizationSecretName } : {}),
    };
  }

  /** What a function is told that keeps to the provider's limit, or says how it stands. */
  limits(): Readonly<Record<string, string>> {
    const { postsPerSecond, readsPerSecond } = this.#account;
    return { PROVIDER_POSTS_PER_SECOND: String(postsPerSecond), PROVIDER_READS_PER_SECOND: String(readsPerSecond) };
  }

  /** Lets a function ask the provider: it may read these credentials, and is where the provider expects its callers. */
  allow(user: NodeFunction, credentials: readonly ProviderCredential[]): void {
    this.#network?.place(user);
    for (const one of credentials) allowReadingSecret(user, this.#secrets[one], this.#account.secretsKeyArn);
  }
}
