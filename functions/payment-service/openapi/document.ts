import type { z } from 'zod';
import { everyEndpoint } from '../endpoints/by-function.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { checkoutPagePaths } from './checkout-page.ts';
import { errorBody, errorComponents } from './errors.ts';
import type { Json } from './json-schemas.ts';
import { jsonSchemas } from './json-schemas.ts';
import { describeOperation, securitySchemes, templateOf } from './operation.ts';
import { describeWebhooks, webhookSchemas } from './webhooks.ts';

/** The OpenAPI 3.1 document of the payment service, generated from the schemas that parse requests. */
const openApiDocument = (): Json => {
  const endpoints = Object.entries(everyEndpoint());
  const named = (part: string, schemaOf: (endpoint: Endpoint) => z.ZodType | undefined) =>
    Object.fromEntries(
      endpoints.flatMap(([id, endpoint]) => {
        const schema = schemaOf(endpoint);
        return schema === undefined ? [] : [[`${id}.${part}`, schema]];
      }),
    );
  const sent = jsonSchemas({ ...named('query', ({ query }) => query), ...named('body', ({ body }) => body) }, 'input');
  const received = jsonSchemas(
    { error: errorBody, ...webhookSchemas, ...named('answer', ({ answers }) => answers.body) },
    'output',
  );
  const paths: Record<string, Record<string, Json>> = {};
  for (const [id, endpoint] of endpoints) {
    const template = templateOf(endpoint.path);
    const described = describeOperation(id, endpoint, { sent: sent.named, received: received.named });
    paths[template] = { ...paths[template], [endpoint.method.toLowerCase()]: described };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Payment service',
      version: '1',
      description:
        'Holds, converts and pays out a merchant’s money. Every body except the balance, this document and files is an envelope ' +
        'whose `statusCode` equals the HTTP status. Amounts are JSON numbers with all their digits: parse them from their ' +
        'text, because a binary fraction can lose some. An unknown path answers 404, another method on a known path 405 with `Allow`, ' +
        'both in the error envelope. Below `/checkout/`, which is for people, errors are pages, except the gateway’s 400 and 429.',
    },
    servers: [{ url: '.', description: 'The address that serves this document.' }],
    paths: { ...paths, ...checkoutPagePaths },
    webhooks: describeWebhooks(received.named),
    components: {
      securitySchemes,
      schemas: { ...sent.components, ...received.components },
      responses: errorComponents(),
    },
  };
};

/** The document as committed. */
export const openApiText = (): string => `${JSON.stringify(openApiDocument(), null, 2)}\n`;
