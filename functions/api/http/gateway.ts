import * as z from 'zod';

const texts = z.record(z.string(), z.string().optional()).nullish();

/** The parts of API Gateway's proxy event that are used. */
export const gatewayRequest = z.object({
  pathParameters: texts,
  queryStringParameters: texts,
  headers: texts,
  body: z.string().nullish(),
  isBase64Encoded: z.boolean().optional(),
  requestContext: z.object({
    requestId: z.string().optional(),
    identity: z.object({ userArn: z.string().nullish(), caller: z.string().nullish() }).optional(),
  }),
});
export type GatewayRequest = z.infer<typeof gatewayRequest>;

/** The response for API Gateway. */
export interface GatewayResponse {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** True when the body is binary. */
  readonly isBase64Encoded?: boolean;
}

/** Answers contain amounts and references, so browsers and proxies must not cache them, frame them or guess their type. */
const protectiveHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-content-type-options': 'nosniff',
} as const;

/** @param body JSON, or a file's bytes in base64 */
export const respond = (
  statusCode: number,
  contentType: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): GatewayResponse => ({
  statusCode,
  headers: { ...protectiveHeaders, 'content-type': contentType, ...headers },
  body,
});
