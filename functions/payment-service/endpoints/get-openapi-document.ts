import * as z from 'zod';
import { withoutEnvelope } from '../http/answer-schemas.ts';
import { bare } from '../http/answers.ts';
import { openEndpoint } from '../http/endpoint.ts';

/** GET /openapi.json: the document that `npm run openapi` wrote when this was built. */
export const getOpenApiDocument = openEndpoint(
  {
    method: 'GET',
    path: '/openapi.json',
    id: 'getOpenApiDocument',
    summary: 'This document',
    answers: withoutEnvelope(z.looseObject({ openapi: z.string() })),
  },
  z.object({}),
  async () => {
    // Loaded when asked for: no other request pays for reading it, and the program that writes it needs none.
    const { default: document } = await import('../openapi.json', { with: { type: 'json' } });
    return { ...bare(document), headers: { 'cache-control': 'public, max-age=300' } };
  },
);
