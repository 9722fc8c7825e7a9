import { Fn, Stack } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { acknowledge } from './acknowledge.ts';
import { localEndpointOf } from './local-endpoint.ts';

/**
 * Where an API is reached, without a slash at its end. The local AWS serves all APIs at its one endpoint, under a path
 * of its own, since names below `localhost` do not resolve everywhere.
 *
 * @param stage the stage's name as it is written, where the address goes to a function that the API calls: a reference to
 * the stage would have CloudFormation wait for the function, and the function wait for the stage
 */
export const apiUrl = (api: RestApi, stage = api.deploymentStage.stageName): string => {
  const localEndpoint = localEndpointOf(api);
  if (localEndpoint !== undefined) {
    return Fn.join('', [localEndpoint, '/_aws/execute-api/', api.restApiId, '/', stage]);
  }
  const { region, urlSuffix } = Stack.of(api);
  return Fn.join('', ['https://', api.restApiId, '.execute-api.', region, '.', urlSuffix, '/', stage]);
};

/** The role that API Gateway writes logs by has the policy that AWS made for that. */
export const acknowledgeLogRole = (api: RestApi): void => {
  acknowledge(
    api,
    'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
    'API Gateway writes its logs by the managed policy made for that, once an account.',
  );
};
