import * as z from 'zod';
import { withoutEnvelope } from '../http/answer-schemas.ts';
import { bare } from '../http/answers.ts';
import { openEndpoint } from '../http/endpoint.ts';

/** GET /openapi.json: the document as `npm run openapi` wrote it before the build. */
export const getOpenApiDocument = openEndpoint(
  {
    method: 'GET',
    path: '/openapi.json',
    summary: 'This document',
    answers: withoutEnvelope(z.looseObject({ openapi: z.string() })),
  },
  z.object({}),
  async () => {
    // Loaded on request, so that other requests do not pay for reading it. The program that writes it runs without it.
    const { default: document } = await import('../openapi.json', { with: { type: 'json' } });
    return { ...bare(document), headers: { 'cache-control': 'public, max-age=300' } };
  },
);
