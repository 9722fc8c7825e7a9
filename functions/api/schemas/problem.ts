import * as z from 'zod';

/** Every problem the API answers, by its stable code. The table in functions/api/PROBLEMS.md is checked against this one by a test. */
export const problems = {
  invalid_request: { status: 400, title: 'The request is not as the API describes it' },
  idempotency_key_missing: { status: 400, title: 'The header Idempotency-Key is missing' },
  webhook_not_verified: { status: 401, title: 'The webhook is not signed as agreed' },
  not_found: { status: 404, title: 'There is nothing at this address' },
  batch_not_found: { status: 404, title: 'There is no such batch' },
  conversion_not_found: { status: 404, title: 'The batch has no such conversion' },
  payout_not_found: { status: 404, title: 'There is no payout with this reference' },
  upload_not_found: { status: 404, title: 'There is no such payout file' },
  proof_not_ready: { status: 404, title: 'The payout has no transfer proof, or not yet' },
  file_not_ready: { status: 404, title: 'The batch has no such file, or not yet' },
  nothing_to_correct: { status: 409, title: 'The batch was not refused and skipped no row' },
  same_file: { status: 409, title: 'The file is already being paid by another batch, or was' },
  payout_conflict: { status: 409, title: 'The payout is in a status that does not allow this' },
  conversion_conflict: { status: 409, title: 'The conversion is in a status that does not allow this' },
  too_early: { status: 409, title: 'What is asked about may still be under way' },
  evidence_contradicts: { status: 409, title: 'What the provider says contradicts the decision' },
  evidence_missing: { status: 409, title: 'The provider knows nothing that would support the decision' },
  file_altered: { status: 409, title: 'A file of the batch is not as it was written' },
  nothing_contradicts: { status: 409, title: 'Nothing that the provider shows contradicts the payout' },
  status_conflict: { status: 409, title: 'The batch is in a status that does not allow this' },
  own_batch: { status: 403, title: 'Another person than the starter decides this' },
  not_an_approver: { status: 403, title: 'Only approvers decide this' },
  approval_void: { status: 409, title: 'What was to be approved has changed' },
  approval_expired: { status: 409, title: 'Nobody approved it in time' },
  file_too_large: { status: 413, title: 'The payout file is too large' },
  webhook_too_large: { status: 413, title: 'The webhook is too large' },
  idempotency_key_reused: { status: 422, title: 'The Idempotency-Key was used for another request' },
  too_many_requests: { status: 429, title: 'Too many requests: send it again later' },
  provider_unavailable: { status: 503, title: 'The provider could not be asked' },
  internal_error: { status: 500, title: 'Something went wrong on our side' },
  unavailable: { status: 503, title: 'AWS cannot take the request now' },
} as const satisfies Record<string, { readonly status: number; readonly title: string }>;

export type ProblemCode = keyof typeof problems;

/**
 * Seconds after which a request may be sent again as it was: the header `Retry-After`. A throttle of so many requests a second
 * lets some through a second later; an outage or a throttle of AWS itself is given a few.
 */
export const retryAfterSeconds: Partial<Readonly<Record<ProblemCode, number>>> = {
  too_many_requests: 1,
  provider_unavailable: 5,
  unavailable: 5,
};

/** Every request may meet these, whatever it asks for. */
export const anyRequest = ['too_many_requests', 'internal_error', 'unavailable'] as const satisfies ProblemCode[];

/** The `type` of a problem: stable, to be matched by programs. */
export const problemType = (code: ProblemCode): string => `urn:payout-orchestrator:problem:${code}`;

export const problemSchema = z
  .strictObject({
    type: z.string().meta({
      description: 'Stable, to be matched by programs.',
      example: 'urn:payout-orchestrator:problem:same_file',
    }),
    title: z
      .string()
      .meta({ description: 'The same for every problem of the type.', example: problems.same_file.title }),
    status: z.int().meta({ description: 'The HTTP status.', example: 409 }),
    detail: z.string().exactOptional().meta({
      description: 'What a person may want to know about this occurrence.',
      example: 'Batch b-01jgfjjz00e5x7b6nrw2m8k4vd holds this version of the file.',
    }),
    requestId: z
      .string()
      .exactOptional()
      .meta({ description: 'What the logs know the request by.', example: 'c6af9ac6-7b61-11e6-9a41-93e8deadbeef' }),
    batchId: z
      .string()
      .exactOptional()
      .meta({ description: 'The batch that stands in the way.', example: 'b-01jgfjjz00e5x7b6nrw2m8k4vd' }),
    batchStatus: z
      .string()
      .exactOptional()
      .meta({ description: 'The status that stands in the way.', example: 'completed' }),
    payoutStatus: z
      .string()
      .exactOptional()
      .meta({ description: 'The status of the payout that stands in the way.', example: 'pending' }),
    errors: z
      .array(z.strictObject({ where: z.string(), message: z.string() }))
      .exactOptional()
      .meta({
        description: 'What is wrong in which part of the request.',
        example: [{ where: 'body.mode', message: 'Invalid option: expected one of "disburse"|"preview"' }],
      }),
  })
  .meta({ id: 'Problem', description: 'RFC 9457 problem details. Never carries a stack or an account number.' });

export type ProblemDetails = z.infer<typeof problemSchema>;
