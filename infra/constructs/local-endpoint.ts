import type { Construct } from 'constructs';

/** Endpoint of the local AWS. Undefined on AWS. */
export const localEndpointOf = (scope: Construct): string | undefined => {
  const given: unknown = scope.node.tryGetContext('localEndpoint');
  return typeof given === 'string' && given !== '' ? given : undefined;
};
