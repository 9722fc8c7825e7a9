import type { ProblemCode } from '../../domain/problems.ts';
import { anyRequest } from '../../domain/problems.ts';

/** The webhook endpoint. functions/webhooks answers it with its own checks, so no schema of the API parses it. */
export const webhookPath = (problemResponses: (codes: readonly ProblemCode[]) => object): object => ({
  '/webhooks/{token}': {
    post: {
      operationId: 'receiveWebhook',
      summary: 'Receive a webhook of the payment service',
      description:
        'No IAM: the token in the address is the secret, and where secrets are configured the body must be signed by ' +
        'the Standard Webhooks rules. 64 KiB at most. The answer is the same for known, unknown and repeated ids.',
      security: [],
      parameters: [
        { name: 'token', in: 'path', required: true, schema: { type: 'string', description: 'From the secret.' } },
      ],
      requestBody: { required: true, content: { 'application/json': { schema: {} } } },
      responses: {
        202: {
          description: 'Stored. The provider will be asked about the payouts that the webhook names.',
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: { accepted: { const: true } },
                required: ['accepted'],
                additionalProperties: false,
              },
            },
          },
        },
        ...problemResponses([
          'invalid_request',
          'webhook_not_verified',
          'not_found',
          'webhook_too_large',
          ...anyRequest,
        ]),
      },
    },
  },
});
