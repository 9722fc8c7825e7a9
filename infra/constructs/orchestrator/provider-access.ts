import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { ProviderCredential } from '../../function-table/function-row.ts';
import type { InfraSettings } from '../../settings.ts';
import type { NodeFunction } from '../node-function.ts';
import { allowReadingSecret } from '../read-secret.ts';
import type { ProviderNetwork } from './provider-network.ts';

/** The account that makes the payouts: of a real provider, or in the sandbox. */
export type ProviderAccount = Omit<
  Extract<InfraSettings['provider'], { kind: 'service' }>,
  'kind' | 'staticAddresses' | 'account'
> & { readonly account: string };

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
    const { account, baseUrl, signing, traits, signingSecretName, authorizationSecretName } = this.#account;
    return {
      PROVIDER_ACCOUNT: account,
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
