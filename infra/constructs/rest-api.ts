import { Stack } from 'aws-cdk-lib';
import type { IResource, MethodDeploymentOptions } from 'aws-cdk-lib/aws-apigateway';
import {
  AccessLogField,
  AccessLogFormat,
  AuthorizationType,
  EndpointType,
  LambdaIntegration,
  LogGroupLogDestination,
  MethodLoggingLevel,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import { logLifetime } from './lasting.ts';
import { localEndpointOf } from './local-endpoint.ts';
import type { NodeFunction } from './node-function.ts';

/**
 * The address of an API, without a slash at its end. On the local AWS all APIs share its endpoint, each under a path, because names
 * below `localhost` do not resolve everywhere.
 *
 * @param stage the stage's literal name. It is needed when a function of the API gets the address: with a reference, function and
 *   stage would wait for each other
 */
export const apiUrl = (api: RestApi, stage = api.deploymentStage.stageName): string => {
  const localEndpoint = localEndpointOf(api);
  if (localEndpoint !== undefined) return `${localEndpoint}/_aws/execute-api/${api.restApiId}/${stage}`;
  const { region, urlSuffix } = Stack.of(api);
  return `https://${api.restApiId}.execute-api.${region}.${urlSuffix}/${stage}`;
};

/** The options of a stage or a method. Bursts may be twice as high. */
export const methodOptions = (requestsPerSecond: number) => ({
  loggingLevel: MethodLoggingLevel.ERROR,
  // Bodies and headers are never logged: they carry names, accounts and credentials.
  dataTraceEnabled: false,
  metricsEnabled: true,
  throttlingRateLimit: requestsPerSecond,
  throttlingBurstLimit: requestsPerSecond * 2,
});

export interface RestApiOptions {
  readonly description: string;
  readonly stageName: string;
  readonly requestsPerSecond: number;
  /** Whether it sets the account's role for the logs of APIs. */
  readonly setsLogRole: boolean;
  /** Options of single methods, by path and verb. */
  readonly methods?: Readonly<Record<string, MethodDeploymentOptions>>;
  /** Fields of the access log that say who sent the request. */
  readonly caller?: Readonly<Record<string, string>>;
  /** Why it needs no firewall. */
  readonly withoutFirewall: string;
}

/** A REST API with one throttled stage, whose log names the resource, never the address, which may contain a secret. */
export const restApi = (
  scope: Construct,
  { description, stageName, requestsPerSecond, setsLogRole, methods, caller = {}, withoutFirewall }: RestApiOptions,
): RestApi => {
  const api = new RestApi(scope, 'Api', {
    restApiName: Stack.of(scope).stackName,
    description,
    endpointTypes: [EndpointType.REGIONAL],
    cloudWatchRole: setsLogRole,
    // All types, for workbooks and PDFs: otherwise a caller without the file's type in Accept gets base64 text.
    binaryMediaTypes: ['*/*'],
    deployOptions: {
      stageName,
      // A gateway's trace contains the whole address. A webhook's ends in its token, a checkout's opens it, and queries contain
      // account numbers. The functions are traced.
      tracingEnabled: false,
      ...methodOptions(requestsPerSecond),
      ...(methods && { methodOptions: methods }),
      accessLogDestination: new LogGroupLogDestination(new LogGroup(scope, 'AccessLogs', logLifetime(scope))),
      accessLogFormat: AccessLogFormat.custom(
        JSON.stringify({
          requestId: AccessLogField.contextRequestId(),
          time: AccessLogField.contextRequestTime(),
          ...caller,
          method: AccessLogField.contextHttpMethod(),
          // The resource's template, not the path: a webhook's path ends in its token.
          resource: AccessLogField.contextResourcePath(),
          status: AccessLogField.contextStatus(),
          latencyMs: AccessLogField.contextResponseLatency(),
        }),
      ),
    },
  });
  if (setsLogRole)
    acknowledge(
      api,
      'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
      'API Gateway writes its logs with AWS’s managed policy for that. An account has one such role.',
    );
  acknowledge(api.deploymentStage, 'AwsSolutions-APIG3', withoutFirewall);
  return api;
};

/** @param reason why the gateway lets every request through: how the function checks who sent it */
export const openMethod = (resource: IResource, verb: string, by: NodeFunction, reason: string): void => {
  const method = resource.addMethod(verb, new LambdaIntegration(by, { allowTestInvoke: false }), {
    authorizationType: AuthorizationType.NONE,
  });
  for (const id of ['AwsSolutions-APIG4', 'AwsSolutions-COG4']) acknowledge(method, id, reason);
};
