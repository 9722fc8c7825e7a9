import * as z from 'zod';
import { problems } from '../../domain/problems.ts';
import { exampleBatch, optionalText, text } from './text.ts';

export const problemSchema = z
  .strictObject({
    type: text('Stable, to be matched by programs.', 'urn:payout-orchestrator:problem:same_file'),
    title: z
      .string()
      .meta({ description: 'The same for every problem of the type.', example: problems.same_file.title }),
    status: z.int().meta({ description: 'The HTTP status.', example: 409 }),
    detail: optionalText(
      'Explains this occurrence to a person.',
      'This version of the file is held by b-01jgfjjz00e5x7b6nrw2m8k4vd.',
    ),
    requestId: optionalText('The id of the request in the logs.', 'c6af9ac6-7b61-11e6-9a41-93e8deadbeef'),
    batchId: optionalText('The batch that causes the problem.', exampleBatch),
    batchStatus: optionalText('The batch status that causes the problem.', 'completed'),
    payoutStatus: optionalText('The payout status that causes the problem.', 'pending'),
    errors: z
      .array(z.strictObject({ where: z.string(), message: z.string() }))
      .exactOptional()
      .meta({
        description: 'The errors in each part of the request.',
        example: [{ where: 'body.mode', message: 'Invalid option: expected one of "disburse"|"preview"' }],
      }),
  })
  .meta({ id: 'Problem', description: 'RFC 9457 problem details. Never contains a stack trace or an account number.' });

export type ProblemDetails = z.infer<typeof problemSchema>;
