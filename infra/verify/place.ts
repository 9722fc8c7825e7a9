import type { CdkTarget } from '../local/deploy.ts';
import type { OperatorClientOptions } from '../local/operator-client.ts';

/** Where a stage is verified: an account, or a local AWS. The SDK's clients of this process talk to it. */
export interface Place {
  readonly isLocal: boolean;
  readonly target: CdkTarget;
  /** Whose requests to the API are signed. */
  readonly credentials: OperatorClientOptions['credentials'];
  /** Where API Gateway's own API is. */
  readonly apiGatewayUrl: string;
}
