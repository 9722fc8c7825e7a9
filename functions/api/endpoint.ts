import middy from '@middy/core';
import { InvalidCursor } from '../domain/errors.ts';
import { given } from '../domain/given.ts';
import { retryAfterSeconds } from '../domain/problems.ts';
import type { Log } from '../ports/environment.ts';
import type { FileAnswer, Outcome, OutcomeOf } from './http/answer.ts';
import type { GatewayRequest, GatewayResponse } from './http/gateway.ts';
import { gatewayRequest, respond } from './http/gateway.ts';
import { parseRequest } from './http/parse-request.ts';
import { describeProblem, problem } from './http/problem.ts';
import { isTransient } from './http/transient-errors.ts';
import type { Operation, RequestOf } from './schemas/operations/operation.ts';

/** Only the ledger can recognize its own cursors. */
const unknownCursor = ({ body }: Operation) => ({
  errors: [{ where: 'cursor' in body.shape ? 'body.cursor' : 'query.cursor', message: 'This cursor is invalid.' }],
});

/** True for a resume that names no pause: sent again, it also ends one that nobody has seen. */
const mayEndLaterPause = (operation: Operation, event: GatewayRequest): boolean => {
  if (!('pausedSince' in operation.body.shape)) return false;
  const parsed = parseRequest(operation, event);
  return parsed.kind === 'parsed' && !('pausedSince' in parsed.request.body);
};

/** The request may have been partly carried out, but repeating it never does anything twice. */
const unavailableTo = (operation: Operation, event: GatewayRequest | undefined) =>
  problem('unavailable', {
    detail:
      event !== undefined && mayEndLaterPause(operation, event)
        ? 'It may have been done: look at the batch first. Sent again without pausedSince, it also ends a pause that came meanwhile.'
        : 'Send the same request again (a start with the same Idempotency-Key). Nothing happens twice.',
  });

const toResponse = (outcome: Outcome<unknown> | FileAnswer, requestId: string | undefined): GatewayResponse => {
  const traced = given({ 'x-request-id': requestId });
  switch (outcome.kind) {
    case 'answer': {
      const { status, body, location } = outcome;
      return respond(status, 'application/json', JSON.stringify(body), { ...traced, ...given({ location }) });
    }
    case 'file': {
      const { bytes, file } = outcome;
      const headers = { 'content-disposition': `attachment; filename="${file.name}"`, ...traced };
      return { ...respond(200, file.contentType, bytes.toString('base64'), headers), isBase64Encoded: true };
    }
    case 'problem': {
      const details = describeProblem(outcome, requestId);
      const later = given({ 'retry-after': retryAfterSeconds[outcome.code]?.toString() });
      return respond(details.status, 'application/problem+json', JSON.stringify(details), { ...traced, ...later });
    }
  }
};

/**
 * Makes the Lambda handler of one endpoint. Parses the event by the operation's schemas, calls `answerRequest` for the outcome, and
 * answers it. An invalid cursor becomes `invalid_request`. Any other exception becomes `unavailable` if it is transient, else
 * `internal_error`. The log then has the error's name and the request's id. It omits the message, because messages may quote
 * their input.
 */
export const endpoint = <Described extends Operation>(
  log: Log,
  operation: Described,
  answerRequest: (request: RequestOf<Described>) => Promise<OutcomeOf<Described> | FileAnswer>,
) =>
  middy<unknown, GatewayResponse>()
    .onError((failure) => {
      const event = gatewayRequest.safeParse(failure.event);
      const requestId = event.data?.requestContext.requestId;
      if (failure.error instanceof InvalidCursor)
        return toResponse(problem('invalid_request', unknownCursor(operation)), requestId);
      log.warn('api.failed', {
        operation: operation.id,
        error: failure.error?.name ?? 'unknown',
        requestId: requestId ?? 'unknown',
      });
      const answered = isTransient(failure.error) ? unavailableTo(operation, event.data) : problem('internal_error');
      return toResponse(answered, requestId);
    })
    .handler(async (received: unknown) => {
      const event = gatewayRequest.parse(received);
      const parsed = parseRequest(operation, event);
      const outcome = parsed.kind === 'parsed' ? await answerRequest(parsed.request) : parsed;
      const { requestId } = event.requestContext;
      const response = toResponse(outcome, requestId);
      log.info('api.answered', {
        operation: operation.id,
        status: response.statusCode,
        requestId: requestId ?? 'unknown',
      });
      return response;
    });
