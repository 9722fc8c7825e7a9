import { Duration, Stack } from 'aws-cdk-lib';
import {
  AccessLogField,
  AccessLogFormat,
  AuthorizationType,
  EndpointType,
  LambdaIntegration,
  LogGroupLogDestination,
  MethodLoggingLevel,
  ResponseType,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { ProblemCode } from '../../functions/api/schemas/problem.ts';
import { problems, problemType, retryAfterSeconds } from '../../functions/api/schemas/problem.ts';
import type { OrchestratorSettings } from '../../functions/domain/settings.ts';
import { acknowledge, acknowledgeWildcard } from './acknowledge.ts';
import { acknowledgeLogRole, apiUrl } from './api-url.ts';
import type { BatchWorkflow } from './batch-workflow.ts';
import { logLifetime } from './lasting.ts';
import { NodeFunction } from './node-function.ts';
import type { Endpoint } from './operator-endpoints.ts';
import { operatorEndpoints } from './operator-endpoints.ts';
import type { PayoutFiles } from './payout-files.ts';
import type { PayoutLedger } from './payout-ledger.ts';
import type { ProviderAccess } from './provider-access.ts';
import { settingsEnvironment } from './settings-environment.ts';

/**
 * What API Gateway answers in a function's stead: it throttles, and a function that cannot be run, or takes longer than it
 * waits, is an outage to the caller. Every endpoint may be asked again.
 */
const gatewayProblems = [
  ['Throttled', ResponseType.THROTTLED, 'too_many_requests'],
  ['OverQuota', ResponseType.QUOTA_EXCEEDED, 'too_many_requests'],
  ['Failed', ResponseType.DEFAULT_5XX, 'unavailable'],
] as const satisfies readonly (readonly [string, ResponseType, ProblemCode])[];

/** Where webhooks come in: not an endpoint of operators, but behind the same gateway with a throttle of its own. */
export const webhookPath = '/webhooks/{token}';

const methodOptions = (requestsPerSecond: number) => ({
  loggingLevel: MethodLoggingLevel.ERROR,
  // Bodies and headers are never logged: they carry names and credentials.
  dataTraceEnabled: false,
  metricsEnabled: true,
  throttlingRateLimit: requestsPerSecond,
  throttlingBurstLimit: requestsPerSecond * 2,
});

export interface OperatorApiProps {
  readonly ledger: PayoutLedger;
  readonly files: PayoutFiles;
  readonly workflow: BatchWorkflow;
  readonly provider: ProviderAccess;
  readonly settings: OrchestratorSettings;
  readonly requestsPerSecond: number;
  readonly webhooksPerSecond: number;
  /** Whether it sets the account's role for the logs of APIs. */
  readonly setsLogRole: boolean;
}

/** The REST API operators start and follow batches with. Callers are IAM principals; requests are signed (SigV4). */
export class OperatorApi extends Construct {
  readonly api: RestApi;
  readonly functions: ReadonlyMap<string, NodeFunction>;

  constructor(scope: Construct, id: string, props: OperatorApiProps) {
    super(scope, id);
    this.api = this.#api(props);
    const validator = this.api.addRequestValidator('Validator', {
      validateRequestParameters: true,
      validateRequestBody: true,
    });
    this.functions = new Map(
      Object.entries<Endpoint>(operatorEndpoints).map(([name, endpoint]) => {
        const made = this.#endpoint(name, endpoint, props);
        const resource = this.api.root.resourceForPath(endpoint.path);
        const method = resource.addMethod(endpoint.method, new LambdaIntegration(made, { allowTestInvoke: false }), {
          authorizationType: AuthorizationType.IAM,
          requestValidator: validator,
        });
        acknowledge(
          method,
          'AwsSolutions-COG4',
          'Operators are IAM principals: requests are signed, there are no user pools.',
        );
        return [name, made];
      }),
    );
  }

  get url(): string {
    return apiUrl(this.api);
  }

  #endpoint(name: string, endpoint: Endpoint, props: OperatorApiProps): NodeFunction {
    const made = new NodeFunction(this, name, {
      entry: endpoint.entry,
      description: endpoint.description,
      // API Gateway gives up at 29 seconds; an answer after that reaches nobody.
      timeout: Duration.seconds(28),
      environment: {
        ...(endpoint.ledger.length === 0 ? {} : { LEDGER_TABLE: props.ledger.table.tableName }),
        ...settingsEnvironment(props.settings),
        ...(endpoint.workflow === undefined ? {} : { STATE_MACHINE_ARN: props.workflow.stateMachine.stateMachineArn }),
        ...(endpoint.files === undefined ? {} : props.files.environment(endpoint.files)),
        ...(endpoint.tellsPace ? props.provider.limits() : {}),
        ...(endpoint.provider === undefined ? {} : props.provider.environment(endpoint.provider)),
      },
    });
    props.ledger.allow(made, endpoint.ledger);
    if (endpoint.provider !== undefined) props.provider.allow(made, endpoint.provider);
    if (endpoint.files !== undefined) props.files.allow(made, endpoint.files);
    if (endpoint.workflow === 'starts') {
      made.allow(['states:StartExecution'], [props.workflow.stateMachine.stateMachineArn]);
      // Whether an execution of that name still runs.
      made.allow(['states:DescribeExecution'], [props.workflow.executionsArn]);
      acknowledgeWildcard(
        made.role ?? made,
        props.workflow.executionsArn,
        'Executions of batches yet to come have no name yet.',
      );
    }
    return made;
  }

  #api(props: OperatorApiProps): RestApi {
    const logs = new LogGroup(this, 'AccessLogs', logLifetime(this));
    const api = new RestApi(this, 'Api', {
      restApiName: Stack.of(this).stackName,
      description: 'Starts and follows batches of payouts',
      endpointTypes: [EndpointType.REGIONAL],
      cloudWatchRole: props.setsLogRole,
      // Of a workbook: with its type alone, a caller who does not name it in Accept gets it as base64 text.
      binaryMediaTypes: ['*/*'],
      deployOptions: {
        stageName: 'v1',
        // A trace of the gateway holds the whole address, and a webhook's ends in its token. The functions have traces of their own.
        tracingEnabled: false,
        ...methodOptions(props.requestsPerSecond),
        // What is set for one method replaces all that is set for the stage, so it is said whole.
        methodOptions: { [`${webhookPath}/POST`]: methodOptions(props.webhooksPerSecond) },
        accessLogDestination: new LogGroupLogDestination(logs),
        accessLogFormat: AccessLogFormat.custom(
          JSON.stringify({
            requestId: AccessLogField.contextRequestId(),
            time: AccessLogField.contextRequestTime(),
            caller: AccessLogField.contextIdentityUserArn(),
            method: AccessLogField.contextHttpMethod(),
            // The resource's template, not the path: a webhook's path ends in its token.
            resource: AccessLogField.contextResourcePath(),
            status: AccessLogField.contextStatus(),
            latencyMs: AccessLogField.contextResponseLatency(),
          }),
        ),
      },
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
    if (props.setsLogRole) acknowledgeLogRole(api);
    acknowledge(
      api.deploymentStage,
      'AwsSolutions-APIG3',
      'Every method but the webhook takes IAM callers only, and the stage is throttled; a firewall is the account owner’s to add.',
    );
    return api;
  }
}
