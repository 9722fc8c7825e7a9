import { SecretValue } from 'aws-cdk-lib';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { PaymentServiceSettings } from '../../../functions/payment-service/settings.ts';
import { credentialsSecretName } from '../../../functions/payment-service/settings.ts';
import { acknowledge } from '../acknowledge.ts';
import { lettersAndDigits } from '../generated-secret.ts';
import { removalPolicy } from '../lasting.ts';
import type { NodeFunction } from '../node-function.ts';
import { allowReadingSecret } from '../read-secret.ts';

/**
 * The names of two secrets that the merchant's own system reads. With two, most of that system cannot read the one that
 * moves money.
 */
export interface HandedOver {
  /** Contains `clientId` and `clientSecret`. */
  readonly signingSecretName: string;
  /** Contains `apiKey`. */
  readonly authorizationSecretName: string;
}

interface OneMerchant {
  readonly secretName: string;
  readonly clientId: string;
}

const rotation = 'The merchant has a copy of these credentials, so a person must rotate both copies together.';

/**
 * A merchant's credentials. The service reads one secret with `clientId`, `clientSecret`, `apiKey` and `webhookSecret`.
 * The merchant reads two others, one per authentication method, so that its system can keep them apart.
 *
 * A generated secret can have only one generated part. So three are generated separately, and CloudFormation composes
 * the rest from references that it resolves at deployment. No template contains a value.
 */
class MerchantCredentials extends Construct {
  readonly byName: ISecret;
  readonly handedOver: HandedOver;

  constructor(scope: Construct, id: string, props: OneMerchant) {
    super(scope, id);
    const parts = { clientSecret: 'client-secret', apiKey: 'api-key', webhookSecret: 'webhook-secret' };
    const generated = Object.entries(parts).map(([key, part]) => {
      const secretName = `${props.secretName}/${part}`;
      const secret = new Secret(this, key, {
        secretName,
        description: `The generated ${key} for ${props.secretName}`,
        // Letters and digits in a multiple of four are valid base64, which webhook signing requires.
        generateSecretString: lettersAndDigits(40),
        removalPolicy: removalPolicy(this),
      });
      acknowledge(secret, 'AwsSolutions-SMG4', rotation);
      return { key, secret, value: `{{resolve:secretsmanager:${secretName}}}` };
    });
    const values = { clientId: props.clientId, ...Object.fromEntries(generated.map(({ key, value }) => [key, value])) };
    const compose = (name: string, secretName: string, keys: readonly string[]): void => {
      const composed = new Secret(this, name, {
        secretName,
        description: `The merchant ${props.clientId}: ${keys.join(', ')}`,
        secretStringValue: SecretValue.unsafePlainText(
          JSON.stringify(Object.fromEntries(Object.entries(values).filter(([key]) => keys.includes(key)))),
        ),
        removalPolicy: removalPolicy(this),
      });
      for (const { secret } of generated) composed.node.addDependency(secret);
      acknowledge(composed, 'AwsSolutions-SMG4', rotation);
    };
    compose('Credentials', props.secretName, ['clientId', ...Object.keys(parts)]);
    this.handedOver = {
      signingSecretName: `${props.secretName}/signing`,
      authorizationSecretName: `${props.secretName}/authorization`,
    };
    compose('Signing', this.handedOver.signingSecretName, ['clientId', 'clientSecret']);
    compose('Authorization', this.handedOver.authorizationSecretName, ['apiKey']);
    this.byName = Secret.fromSecretNameV2(this, 'CredentialsByName', props.secretName);
  }
}

/** The secrets of all merchants. */
export class AllCredentials extends Construct {
  /** The secrets that the first merchant reads. */
  readonly handedOver: HandedOver;
  readonly #secrets: readonly ISecret[];

  constructor(scope: Construct, id: string, settings: PaymentServiceSettings) {
    super(scope, id);
    const merchants = settings.merchants.map(({ clientId }) => {
      const secretName = credentialsSecretName(settings, clientId);
      return new MerchantCredentials(this, clientId, { secretName, clientId });
    });
    const [first] = merchants;
    if (first === undefined) throw new Error('there is no merchant');
    this.handedOver = first.handedOver;
    this.#secrets = merchants.map(({ byName }) => byName);
  }

  allowReading(reader: NodeFunction): void {
    for (const secret of this.#secrets) allowReadingSecret(reader, secret);
  }
}
