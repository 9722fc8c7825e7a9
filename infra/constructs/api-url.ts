import { Fn, Stack } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';

/**
 * Where an API is reached, without a slash at its end. The local AWS serves all APIs at its one endpoint, under a path
 * of its own, since names below `localhost` do not resolve everywhere.
 */
export function apiUrl(api: RestApi): string {
  const localEndpoint: unknown = api.node.tryGetContext('localEndpoint');
  const stage = api.deploymentStage.stageName;
  if (typeof localEndpoint === 'string' && localEndpoint !== '') {
    return Fn.join('', [localEndpoint, '/_aws/execute-api/', api.restApiId, '/', stage]);
  }
  const { region, urlSuffix } = Stack.of(api);
  return Fn.join('', ['https://', api.restApiId, '.execute-api.', region, '.', urlSuffix, '/', stage]);
}
