import { Fn, Stack } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import {
  AccessLogField,
  AccessLogFormat,
  LogGroupLogDestination,
  MethodLoggingLevel,
} from 'aws-cdk-lib/aws-apigateway';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import { logLifetime } from './lasting.ts';
import { localEndpointOf } from './local-endpoint.ts';

/**
 * The address of an API, without a slash at its end. On the local AWS all APIs share its endpoint, each under a path, because names
 * below `localhost` do not resolve everywhere.
 *
 * @param stage the stage's literal name. It is needed when a function of the API gets the address: with a reference, function and stage
 * would wait for each other
 */
export const apiUrl = (api: RestApi, stage = api.deploymentStage.stageName): string => {
  const localEndpoint = localEndpointOf(api);
  if (localEndpoint !== undefined) {
    return Fn.join('', [localEndpoint, '/_aws/execute-api/', api.restApiId, '/', stage]);
  }
  const { region, urlSuffix } = Stack.of(api);
  return Fn.join('', ['https://', api.restApiId, '.execute-api.', region, '.', urlSuffix, '/', stage]);
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

/** @param caller fields that say who sent the request */
export const accessLog = (scope: Construct, caller: Readonly<Record<string, string>> = {}) => ({
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
});

/** Accepts the managed policy of the role that lets API Gateway write logs. */
export const acknowledgeLogRole = (api: RestApi): void => {
  acknowledge(
    api,
    'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
    'API Gateway writes its logs with AWS’s managed policy for that. An account has one such role.',
  );
};
