import { Stack } from 'aws-cdk-lib';
import type { IResource } from 'aws-cdk-lib/aws-apigateway';
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
import { acknowledge } from '../acknowledge.ts';
import { acknowledgeLogRole, apiUrl } from '../api-url.ts';
import { logLifetime } from '../lasting.ts';
import type { NodeFunction } from '../node-function.ts';

/** Who answers which paths. */
export interface ServedBy {
  /** Also answers every path that nobody else has. */
  readonly balanceAndConvert: NodeFunction;
  readonly disbursements: NodeFunction;
  readonly deposits: NodeFunction;
  readonly transferProofs: NodeFunction;
  /** The hosted page, for customers. */
  readonly checkoutPage: NodeFunction;
  /** Only of a sandbox. */
  readonly sandboxControls: NodeFunction | undefined;
}

export interface ServiceApiProps {
  readonly requestsPerSecond: number;
  /** Whether it sets the account's role for the logs of APIs. */
  readonly setsLogRole: boolean;
}

/** Errors that API Gateway answers by itself, in the envelope of the service. */
const gatewayErrors = [
  ['Throttled', ResponseType.THROTTLED, 429, 'Too Many Requests', 'Too many requests'],
  ['TooLarge', ResponseType.REQUEST_TOO_LARGE, 400, 'Bad Request', 'the body is too large'],
  ['NoRoute', ResponseType.MISSING_AUTHENTICATION_TOKEN, 404, 'Not Found', 'No such endpoint'],
  ['Wrong', ResponseType.DEFAULT_4XX, 400, 'Bad Request', 'The request cannot be read'],
  ['Failed', ResponseType.DEFAULT_5XX, 500, 'Internal Server Error', 'Internal server error'],
] as const;

const merchants =
  'Callers are merchants, not IAM principals: the function checks signature or API key of every request.';
const customers =
  'Customers have the address of their checkout and nothing else: its 128 random bits are what lets them in.';

const stageName = 'service';

/**
 * The public REST API. It lets every request through: the service checks its two kinds of credentials itself. It is there
 * before the functions that serve it, since one of them tells customers its address.
 */
export class ServiceApi extends Construct {
  readonly api: RestApi;

  constructor(scope: Construct, id: string, props: ServiceApiProps) {
    super(scope, id);
    this.api = this.#make(props);
  }

  /** The address before all paths; no slash at its end. */
  get url(): string {
    return apiUrl(this.api, stageName);
  }

  serve({ balanceAndConvert, disbursements, deposits, transferProofs, checkoutPage, sandboxControls }: ServedBy): void {
    const { root } = this.api;
    const disbursement = root.resourceForPath('/v1/disbursement');
    const fiat = disbursement.addResource('fiat');
    const one = fiat.addResource('{disbursementId}');
    const deposit = root.resourceForPath('/v1/deposit');
    this.#serve(balanceAndConvert, 'ANY', [root, root.addResource('{proxy+}')]);
    this.#serve(disbursements, 'ANY', [
      fiat,
      one,
      disbursement.addResource('{proxy+}'),
      root.resourceForPath('/v2/disbursement').addResource('{proxy+}'),
    ]);
    this.#serve(deposits, 'ANY', [deposit, deposit.addResource('{proxy+}'), root.resourceForPath('/v1/checkout')]);
    this.#serve(transferProofs, 'ANY', [one.addResource('report')]);
    this.#serve(checkoutPage, 'ANY', [root.addResource('checkout').addResource('{proxy+}')], customers);
    if (sandboxControls !== undefined) {
      const sandbox = root.addResource('sandbox');
      this.#serve(sandboxControls, 'ANY', [sandbox, sandbox.addResource('{proxy+}')]);
    }
  }

  #serve(by: NodeFunction, method: string, resources: readonly IResource[], reason = merchants): void {
    for (const resource of resources) {
      const made = resource.addMethod(method, new LambdaIntegration(by, { allowTestInvoke: false }), {
        authorizationType: AuthorizationType.NONE,
      });
      for (const id of ['AwsSolutions-APIG4', 'AwsSolutions-COG4']) acknowledge(made, id, reason);
    }
  }

  #make(props: ServiceApiProps): RestApi {
    const logs = new LogGroup(this, 'AccessLogs', logLifetime(this));
    const api = new RestApi(this, 'Api', {
      restApiName: Stack.of(this).stackName,
      description: 'The payment service',
      endpointTypes: [EndpointType.REGIONAL],
      cloudWatchRole: props.setsLogRole,
      // With one type alone, a caller who does not name it in Accept gets the PDF as base64 text.
      binaryMediaTypes: ['*/*'],
      deployOptions: {
        stageName,
        // A trace of the gateway holds the whole address: a checkout's is all it takes to open it, queries have account numbers.
        tracingEnabled: false,
        loggingLevel: MethodLoggingLevel.ERROR,
        // Bodies and headers are never logged: they carry names, accounts and credentials.
        dataTraceEnabled: false,
        metricsEnabled: true,
        throttlingRateLimit: props.requestsPerSecond,
        throttlingBurstLimit: props.requestsPerSecond * 2,
        accessLogDestination: new LogGroupLogDestination(logs),
        accessLogFormat: AccessLogFormat.custom(
          JSON.stringify({
            requestId: AccessLogField.contextRequestId(),
            time: AccessLogField.contextRequestTime(),
            method: AccessLogField.contextHttpMethod(),
            resource: AccessLogField.contextResourcePath(),
            status: AccessLogField.contextStatus(),
            latencyMs: AccessLogField.contextResponseLatency(),
          }),
        ),
      },
    });
    for (const [id, type, statusCode, error, message] of gatewayErrors) {
      api.addGatewayResponse(id, {
        type,
        statusCode: statusCode.toString(),
        templates: { 'application/json': JSON.stringify({ statusCode, error, message }) },
      });
    }
    if (props.setsLogRole) acknowledgeLogRole(api);
    acknowledge(
      api,
      'AwsSolutions-APIG2',
      'The functions check every request by schema and answer in the service’s own envelope, which a validator of the gateway cannot.',
    );
    acknowledge(
      api.deploymentStage,
      'AwsSolutions-APIG3',
      'Every request is authenticated and the stage is throttled; a firewall is the account owner’s to add.',
    );
    return api;
  }
}
