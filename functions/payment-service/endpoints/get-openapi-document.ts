import * as z from 'zod';
import { openEndpoint } from '../http/endpoint.ts';
import { withoutEnvelope } from '../http/success.ts';

/** GET /openapi.json: the document as `npm run openapi` wrote it before the build. */
export const getOpenApiDocument = openEndpoint({
  route: 'GET /openapi.json',
  summary: 'This document',
  answers: withoutEnvelope(z.looseObject({ openapi: z.string() }), { 'cache-control': 'public, max-age=300' }),
  query: z.object({}),
  work: async () => {
    // Loaded on request, so that other requests do not pay for reading it. The program that writes it runs without it.
    const { default: document } = await import('../openapi.json', { with: { type: 'json' } });
    return document;
  },
});
