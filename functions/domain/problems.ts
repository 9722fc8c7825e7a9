/**
 * All problems of the operator API and of the webhooks' address, by their stable code. A test compares them with the table in
 * functions/api/PROBLEMS.md.
 */
export const problems = {
  invalid_request: { status: 400, title: 'The request does not match the API description' },
  idempotency_key_missing: { status: 400, title: 'The header Idempotency-Key is missing' },
  webhook_not_verified: { status: 401, title: 'The webhook is not signed as agreed' },
  not_found: { status: 404, title: 'There is nothing at this address' },
  batch_not_found: { status: 404, title: 'There is no such batch' },
  conversion_not_found: { status: 404, title: 'The batch has no such conversion' },
  payout_not_found: { status: 404, title: 'There is no payout with this reference' },
  upload_not_found: { status: 404, title: 'There is no such payout file' },
  proof_not_ready: { status: 404, title: 'The payout has no transfer proof, or not yet' },
  file_not_ready: { status: 404, title: 'The batch has no such file, or not yet' },
  nothing_to_correct: { status: 409, title: 'The batch has no refused or skipped rows' },
  same_file: { status: 409, title: 'Another batch holds this version of the file' },
  payout_conflict: { status: 409, title: 'The payout is in a status that does not allow this' },
  conversion_conflict: { status: 409, title: 'The conversion is in a status that does not allow this' },
  too_early: { status: 409, title: 'The payout or conversion may still be under way' },
  evidence_contradicts: { status: 409, title: 'The provider contradicts the decision' },
  evidence_missing: { status: 409, title: 'The provider has no record that supports the decision' },
  file_altered: { status: 409, title: 'A file of the batch was altered' },
  file_gone: { status: 409, title: 'A file of the batch was deleted, or cannot be read' },
  nothing_contradicts: { status: 409, title: 'The provider does not contradict the payout' },
  status_conflict: { status: 409, title: 'The batch is in a status that does not allow this' },
  own_batch: { status: 403, title: 'A person other than the starter must decide this' },
  not_an_approver: { status: 403, title: 'Only approvers may decide this' },
  approval_void: { status: 409, title: 'The batch has changed since the approval was requested' },
  approval_expired: { status: 409, title: 'Nobody approved the batch in time' },
  file_too_large: { status: 413, title: 'The payout file is too large' },
  webhook_too_large: { status: 413, title: 'The webhook is too large' },
  idempotency_key_reused: { status: 422, title: 'The Idempotency-Key was used for another request' },
  too_many_requests: { status: 429, title: 'Too many requests: try again later' },
  provider_refused: { status: 502, title: 'The provider refused the credentials or the request' },
  provider_unavailable: { status: 503, title: 'The provider gave no usable answer' },
  internal_error: { status: 500, title: 'Something went wrong on our side' },
  unavailable: { status: 503, title: 'AWS cannot take the request now' },
} as const satisfies Record<string, { readonly status: number; readonly title: string }>;

export type ProblemCode = keyof typeof problems;

/**
 * Seconds after which the same request may be repeated, for the header `Retry-After`. A rate limit lets requests through a second
 * later. An outage, or a throttle by AWS itself, gets a few.
 */
export const retryAfterSeconds: Partial<Readonly<Record<ProblemCode, number>>> = {
  too_many_requests: 1,
  provider_unavailable: 5,
  unavailable: 5,
};

/** Problems that any request may meet. */
export const anyRequest = ['too_many_requests', 'internal_error', 'unavailable'] as const satisfies ProblemCode[];

/** The `type` of a problem: stable, for programs to match. */
export const problemType = (code: ProblemCode): string => `urn:payout-orchestrator:problem:${code}`;
