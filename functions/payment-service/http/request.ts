import type { APIGatewayProxyEvent } from 'aws-lambda';

/** A request as the service sees it: paths are relative to its base address, the stage is gone. */
export interface ServiceRequest {
  readonly requestId: string;
  readonly method: string;
  /** As it came, percent-encoding included where the gateway kept it. */
  readonly path: string;
  /** Decoded, in the order they came. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

/** What is read of API Gateway's event. */
export type GatewayEvent = Pick<
  APIGatewayProxyEvent,
  'httpMethod' | 'path' | 'headers' | 'multiValueQueryStringParameters' | 'body' | 'isBase64Encoded'
> & { readonly requestContext: Pick<APIGatewayProxyEvent['requestContext'], 'requestId'> };

const bodyOf = (event: GatewayEvent): Buffer => {
  if (event.body === null) return Buffer.alloc(0);
  return Buffer.from(event.body, event.isBase64Encoded ? 'base64' : 'utf8');
};

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
    body: bodyOf(event),
  };
};
