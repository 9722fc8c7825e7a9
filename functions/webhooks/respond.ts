/** What API Gateway is given back. */
export interface WebhookResponse {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The problems of the webhook address; statuses and titles as functions/api/schemas/problem.ts has them. */
const problems = {
  invalid_request: { status: 400, title: 'The request does not match the API description' },
  webhook_not_verified: { status: 401, title: 'The webhook is not signed as agreed' },
  not_found: { status: 404, title: 'There is nothing at this address' },
  webhook_too_large: { status: 413, title: 'The webhook is too large' },
  internal_error: { status: 500, title: 'Something went wrong on our side' },
} as const;

const respond = (statusCode: number, contentType: string, body: object): WebhookResponse => ({
  statusCode,
  headers: { 'cache-control': 'no-store', 'content-type': contentType, 'x-content-type-options': 'nosniff' },
  body: JSON.stringify(body),
});

/** The one answer to every webhook that is taken: it tells nobody which ids are known or what came before. */
export const accepted = (): WebhookResponse => respond(202, 'application/json', { accepted: true });

/** A problem by RFC 9457, as the operator API answers it. */
export const refuse = (code: keyof typeof problems): WebhookResponse =>
  respond(problems[code].status, 'application/problem+json', {
    type: `urn:payout-orchestrator:problem:${code}`,
    ...problems[code],
  });
