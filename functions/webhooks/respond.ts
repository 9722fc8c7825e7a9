/** The response for API Gateway. */
export type WebhookResponse = Readonly<ReturnType<typeof respond>>;

/** The problems of the webhook address. Statuses and titles equal those in functions/api/schemas/problem.ts. */
const problems = {
  invalid_request: { status: 400, title: 'The request does not match the API description' },
  webhook_not_verified: { status: 401, title: 'The webhook is not signed as agreed' },
  not_found: { status: 404, title: 'There is nothing at this address' },
  webhook_too_large: { status: 413, title: 'The webhook is too large' },
  internal_error: { status: 500, title: 'Something went wrong on our side' },
} as const;

const respond = (statusCode: number, contentType: string, body: object) => ({
  statusCode,
  headers: { 'cache-control': 'no-store', 'content-type': contentType, 'x-content-type-options': 'nosniff' },
  body: JSON.stringify(body),
});

/** The same answer for every accepted webhook, so that it reveals neither which ids are known nor what arrived before. */
export const accepted = (): WebhookResponse => respond(202, 'application/json', { accepted: true });

/** A problem by RFC 9457, in the operator API's format. */
export const refuse = (code: keyof typeof problems): WebhookResponse =>
  respond(problems[code].status, 'application/problem+json', {
    type: `urn:payout-orchestrator:problem:${code}`,
    ...problems[code],
  });
