import type { CdkTarget } from '../local/aws/deploy.ts';
import type { OperatorClientOptions } from '../local/operator-client.ts';

/** The AWS on which a stage is verified: an account, or a local AWS. This process's SDK clients use it. */
export interface VerifiedAws {
  readonly isLocal: boolean;
  readonly target: CdkTarget;
  /** Sign the requests to the operator API. */
  readonly credentials: OperatorClientOptions['credentials'];
  /** Address of API Gateway's own API. */
  readonly apiGatewayUrl: string;
}

/** Where a run reports its progress. */
export interface Progress {
  readonly say: (line: string) => void;
  /** Gets each line that the CDK prints. */
  readonly onCdkLine: (line: string) => void;
}
