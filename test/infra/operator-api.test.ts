import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { problemSchema } from '../../functions/api/schemas/problem.ts';
import { composed, resourcesOf } from '../support/synthesized.ts';

const gatewayResponse = z.object({
  ResponseType: z.string(),
  StatusCode: z.string(),
  ResponseParameters: z.record(z.string(), z.string()),
  ResponseTemplates: z.object({ 'application/json': z.string() }),
});

const answers = resourcesOf(composed(), 'PayoutOrchestrator')
  .filter(({ Type }) => Type === 'AWS::ApiGateway::GatewayResponse')
  .map(({ Properties }) => gatewayResponse.parse(Properties));

describe('what API Gateway answers in a function’s stead', () => {
  it.each([
    ['THROTTLED', 'too_many_requests', '429', '1'],
    ['QUOTA_EXCEEDED', 'too_many_requests', '429', '1'],
    ['DEFAULT_5XX', 'unavailable', '503', '5'],
  ])('is a problem of the API for %s, and says when to come again', (type, code, status, seconds) => {
    const [answer, another] = answers.filter(({ ResponseType }) => ResponseType === type);
    expect(another).toBeUndefined();
    expect(answer?.StatusCode).toBe(status);
    expect(answer?.ResponseParameters).toEqual({
      'gatewayresponse.header.Content-Type': "'application/problem+json'",
      'gatewayresponse.header.Cache-Control': "'no-store'",
      'gatewayresponse.header.Retry-After': `'${seconds}'`,
    });
    const body = problemSchema.parse(JSON.parse(answer?.ResponseTemplates['application/json'] ?? ''));
    expect(body).toMatchObject({ type: `urn:payout-orchestrator:problem:${code}`, status: Number(status) });
    expect(body.requestId).toBe('$context.requestId');
  });
});
