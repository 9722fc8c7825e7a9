import type { APIGatewayProxyEvent } from 'aws-lambda';

/** A request to the service. Its path is relative to the base address, without the stage. */
export interface ServiceRequest {
  readonly requestId: string;
  readonly method: string;
  /** As received, percent-encoded if the gateway left it so. */
  readonly path: string;
  /** Decoded, in the order received. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Header names are in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

/** The parts of API Gateway's event that the service reads. */
export type GatewayEvent = Pick<
  APIGatewayProxyEvent,
  'httpMethod' | 'path' | 'headers' | 'multiValueQueryStringParameters' | 'body' | 'isBase64Encoded'
> & { readonly requestContext: Pick<APIGatewayProxyEvent['requestContext'], 'requestId'> };

export const requestFrom = (event: GatewayEvent): ServiceRequest => {
  const query = Object.entries(event.multiValueQueryStringParameters ?? {});
  return {
    requestId: event.requestContext.requestId,
    method: event.httpMethod,
    path: event.path,
    query: query.flatMap(([name, values]) => (values ?? []).map((value) => [name, value] as const)),
    headers: new Map(
      Object.entries(event.headers ?? {}).flatMap(([name, value]) =>
        value === undefined ? [] : [[name.toLowerCase(), value] as const],
      ),
    ),
    body: Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8'),
  };
};
