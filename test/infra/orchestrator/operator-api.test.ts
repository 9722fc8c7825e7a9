import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Operation } from '../../../functions/api/schemas/operations/operation.ts';
import { operations } from '../../../functions/api/schemas/operations/operations.ts';
import { problemSchema } from '../../../functions/api/schemas/problem.ts';
import { problems, problemType } from '../../../functions/domain/problems.ts';
import { requests } from '../../support/roles/operator-requests.ts';
import { composed, readable, resourcesOf } from '../../support/synthesized.ts';

const gatewayResponse = z.object({
  ResponseType: z.string(),
  StatusCode: z.string(),
  ResponseParameters: z.record(z.string(), z.string()),
  ResponseTemplates: z.object({ 'application/json': z.string() }),
});

const resource = z.object({ ParentId: z.unknown(), PathPart: z.string() });
const method = z.object({
  HttpMethod: z.string(),
  ResourceId: z.unknown(),
  Integration: z.object({ Uri: z.unknown() }),
});

const answers = resourcesOf(composed(), 'PayoutOrchestrator')
  .filter(({ Type }) => Type === 'AWS::ApiGateway::GatewayResponse')
  .map(({ Properties }) => gatewayResponse.parse(Properties));

describe('API Gateway’s own response', () => {
  it.each([
    ['THROTTLED', 'too_many_requests', '429', '1'],
    ['QUOTA_EXCEEDED', 'too_many_requests', '429', '1'],
    ['DEFAULT_5XX', 'unavailable', '503', '5'],
  ])('to %s is a documented problem, and says when to retry', (type, code, status, seconds) => {
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

describe('the API', () => {
  const resources = resourcesOf(composed(), 'PayoutOrchestrator');

  it('throttles webhooks separately, and answers with the documented problem', () => {
    const stage = resources.find(({ Type }) => Type === 'AWS::ApiGateway::Stage');
    expect(stage?.Properties['MethodSettings']).toMatchObject([
      { HttpMethod: '*', ThrottlingRateLimit: 50, ThrottlingBurstLimit: 100 },
      {
        HttpMethod: 'POST',
        ResourcePath: '/~1webhooks~1{token}',
        ThrottlingRateLimit: 50,
        ThrottlingBurstLimit: 100,
        DataTraceEnabled: false,
      },
    ]);
    const throttled = answers.find(({ ResponseType }) => ResponseType === 'THROTTLED');
    expect(JSON.parse(throttled?.ResponseTemplates['application/json'] ?? '')).toMatchObject({
      type: problemType('too_many_requests'),
      ...problems.too_many_requests,
    });
  });

  it('has the webhook and every documented operation, and calls the function with the operation’s name', () => {
    const parts = new Map(
      resources.flatMap(({ Type, logicalId, Properties }) =>
        Type === 'AWS::ApiGateway::Resource' ? [[logicalId, resource.parse(Properties)] as const] : [],
      ),
    );
    const pathOf = (id: string): string => {
      const part = parts.get(id);
      return part === undefined ? '' : `${pathOf(readable(part.ParentId).slice(1, -1))}/${part.PathPart}`;
    };
    const methods = resources.flatMap(({ Type, Properties }) => {
      if (Type !== 'AWS::ApiGateway::Method') return [];
      const { HttpMethod, ResourceId, Integration } = method.parse(Properties);
      const invoked = /<(?:OperatorApi|Webhooks)(\w+)[0-9A-F]{8}\.Arn>/.exec(readable(Integration.Uri))?.[1] ?? '';
      return `${invoked}: ${HttpMethod} ${pathOf(readable(ResourceId).slice(1, -1))}`;
    });
    const described = operations.map(
      ({ id, method: verb, path }) => `${id.charAt(0).toUpperCase()}${id.slice(1)}: ${verb.toUpperCase()} ${path}`,
    );
    expect(methods.toSorted()).toEqual([...described, 'ReceiveWebhook: POST /webhooks/{token}'].toSorted());
  });
});

it('every operation has a request that the roles of ACCESS.md try', () => {
  const isRequested = ({ method: verb, path }: Operation): boolean => {
    const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+').replaceAll('.', '\\.')}$`);
    return requests.some(([by, address]) => by.toLowerCase() === verb && pattern.test(address));
  };
  expect(operations.filter((operation) => !isRequested(operation)).map(({ id }) => id)).toEqual([]);
});
