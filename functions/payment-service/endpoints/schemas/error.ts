import * as z from 'zod';

export const errorBody = z
  .strictObject({
    statusCode: z.int().meta({ description: 'Equals the HTTP status.' }),
    error: z.string(),
    message: z.string(),
  })
  .meta({ id: 'Error', description: 'The envelope of every error.' });
