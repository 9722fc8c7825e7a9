import type { z } from 'zod';
import { everyEndpoint } from '../endpoints/by-function.ts';
import { checkoutPagePaths } from './checkout-page.ts';
import { errorBody, errorComponents } from './errors.ts';
import type { Json } from './json-schemas.ts';
import { jsonSchemas } from './json-schemas.ts';
import { describeOperation, securitySchemes, templateOf } from './operation.ts';
import { describeWebhooks, webhookSchemas } from './webhooks.ts';

const named = (part: string, schemas: readonly (readonly [id: string, schema: z.ZodType | undefined])[]) =>
  Object.fromEntries(schemas.flatMap(([id, schema]) => (schema === undefined ? [] : [[`${id}.${part}`, schema]])));

/** The OpenAPI 3.1 document of the payment service, made from the schemas that requests are parsed by. */
export const openApiDocument = (): Json => {
  const endpoints = everyEndpoint();
  const sent = jsonSchemas(
    {
      ...named(
        'query',
        endpoints.map(({ id, query }) => [id, query]),
      ),
      ...named(
        'body',
        endpoints.map(({ id, body }) => [id, body]),
      ),
    },
    'input',
  );
  const received = jsonSchemas(
    {
      error: errorBody,
      ...webhookSchemas,
      ...named(
        'answer',
        endpoints.map(({ id, answers }) => [id, answers.body]),
      ),
    },
    'output',
  );
  const paths: Record<string, Record<string, Json>> = {};
  for (const endpoint of endpoints) {
    const template = templateOf(endpoint.path);
    const described = describeOperation(endpoint, { sent: sent.named, received: received.named });
    paths[template] = { ...paths[template], [endpoint.method.toLowerCase()]: described };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Payment service',
      version: '1',
      description:
        'Converts, holds and pays out a merchant’s money. Every body but that of the balance and of files is an envelope ' +
        'whose `statusCode` equals the HTTP status. Amounts are JSON numbers with all their digits: read them as text ' +
        'where a binary fraction would lose some. A path that is not here answers 404, another method 405 with `Allow`, ' +
        'both in the envelope of errors; below `/checkout/`, which is for people, errors are pages.',
    },
    servers: [{ url: '.', description: 'Where this document is served.' }],
    paths: { ...paths, ...checkoutPagePaths },
    webhooks: describeWebhooks(received.named),
    components: {
      securitySchemes,
      schemas: { ...sent.components, ...received.components },
      responses: errorComponents(),
    },
  };
};

/** The document as it is committed. */
export const openApiText = (): string => `${JSON.stringify(openApiDocument(), null, 2)}\n`;
