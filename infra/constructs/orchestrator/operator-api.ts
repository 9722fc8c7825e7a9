import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { AccessLogField, AuthorizationType, LambdaIntegration, ResponseType } from 'aws-cdk-lib/aws-apigateway';
import { Construct } from 'constructs';
import type { ProblemCode } from '../../../functions/domain/problems.ts';
import { problems, problemType, retryAfterSeconds } from '../../../functions/domain/problems.ts';
import type { OperatorEndpoint } from '../../function-table/operator-endpoints.ts';
import { operatorEndpoints } from '../../function-table/operator-endpoints.ts';
import { acknowledge } from '../acknowledge.ts';
import type { NodeFunction } from '../node-function.ts';
import { functionNamed } from '../node-function.ts';
import type { RestApiOptions } from '../rest-api.ts';
import { apiUrl, methodOptions, restApi } from '../rest-api.ts';
import type { BatchWorkflow } from './batch-workflow.ts';
import type { OrchestratorParts } from './orchestrator-function.ts';
import { orchestratorFunction } from './orchestrator-function.ts';

/**
 * API Gateway's own responses. Besides throttling, it answers when a function cannot run or takes too long: an outage to the
 * caller. Every request may be repeated.
 */
const gatewayProblems = [
  ['Throttled', ResponseType.THROTTLED, 'too_many_requests'],
  ['OverQuota', ResponseType.QUOTA_EXCEEDED, 'too_many_requests'],
  ['Failed', ResponseType.DEFAULT_5XX, 'unavailable'],
] as const satisfies readonly (readonly [string, ResponseType, ProblemCode])[];

/** The webhook is no operator endpoint, but it uses the same gateway, with a separate throttle. */
export const webhookPath = '/webhooks/{token}';

export interface OperatorApiProps extends OrchestratorParts, Pick<RestApiOptions, 'requestsPerSecond' | 'setsLogRole'> {
  readonly workflow: BatchWorkflow;
  readonly webhooksPerSecond: number;
}

/** The REST API that operators use for their batches. Callers are IAM principals, and sign their requests (SigV4). */
export class OperatorApi extends Construct {
  readonly api: RestApi;
  readonly functions: readonly NodeFunction[];

  constructor(scope: Construct, id: string, props: OperatorApiProps) {
    super(scope, id);
    this.api = this.#api(props);
    const validator = this.api.addRequestValidator('Validator', {
      validateRequestParameters: true,
      validateRequestBody: true,
    });
    this.functions = Object.entries(operatorEndpoints).map(([name, row]) => {
      const made = orchestratorFunction(this, name, row, props);
      const [verb = '', path = ''] = row.request.split(' ');
      const method = this.api.root
        .resourceForPath(path)
        .addMethod(verb, new LambdaIntegration(made, { allowTestInvoke: false }), {
          authorizationType: AuthorizationType.IAM,
          requestValidator: validator,
        });
      acknowledge(method, 'AwsSolutions-COG4', 'Operators are IAM principals that sign requests, not users of a pool.');
      return made;
    });
  }

  get url(): string {
    return apiUrl(this.api);
  }

  functionOf(endpoint: OperatorEndpoint): NodeFunction {
    return functionNamed(this.functions, endpoint);
  }

  #api(props: OperatorApiProps): RestApi {
    const api = restApi(this, {
      ...props,
      description: 'Starts and follows batches of payouts',
      stageName: 'v1',
      // A method's settings replace all of the stage's, so they have to be complete.
      methods: { [`${webhookPath}/POST`]: methodOptions(props.webhooksPerSecond) },
      caller: { caller: AccessLogField.contextIdentityUserArn() },
      withoutFirewall:
        'Every method except the webhook requires IAM, and the stage is throttled. The account’s owner may add a firewall.',
    });
    for (const [id, type, code] of gatewayProblems) {
      const { status, title } = problems[code];
      const problem = { type: problemType(code), title, status, requestId: '$context.requestId' };
      api.addGatewayResponse(id, {
        type,
        statusCode: String(status),
        responseHeaders: {
          'Content-Type': "'application/problem+json'",
          'Cache-Control': "'no-store'",
          'Retry-After': `'${retryAfterSeconds[code]}'`,
        },
        templates: { 'application/json': JSON.stringify(problem) },
      });
    }
    return api;
  }
}
