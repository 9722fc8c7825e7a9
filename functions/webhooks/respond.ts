import type { ProblemCode } from '../domain/problems.ts';
import { problems, problemType } from '../domain/problems.ts';

/** The response for API Gateway. */
export type WebhookResponse = Readonly<ReturnType<typeof respond>>;

const respond = (statusCode: number, contentType: string, body: object) => ({
  statusCode,
  headers: { 'cache-control': 'no-store', 'content-type': contentType, 'x-content-type-options': 'nosniff' },
  body: JSON.stringify(body),
});

/** The same answer for every accepted webhook, so that it reveals neither which ids are known nor what arrived before. */
export const accepted = (): WebhookResponse => respond(202, 'application/json', { accepted: true });

/** A problem by RFC 9457, in the operator API's format. */
export const refuse = (code: ProblemCode): WebhookResponse =>
  respond(problems[code].status, 'application/problem+json', {
    type: problemType(code),
    ...problems[code],
  });
