import type { Construct } from 'constructs';

/** Where the local AWS listens that this is deployed to; undefined on AWS. */
export const localEndpointOf = (scope: Construct): string | undefined => {
  const given: unknown = scope.node.tryGetContext('localEndpoint');
  return typeof given === 'string' && given !== '' ? given : undefined;
};
