import type { InvokeCommand } from '@aws-sdk/client-lambda';
import type { Context } from 'aws-lambda';
import { z } from 'zod';
import { lambdaContext } from '../../../support/lambda-context.ts';

const gatewayEvent = z.looseObject({
  requestContext: z.object({ identity: z.object({ userArn: z.string() }) }),
});

/** Lambda with one of the operator API's own functions. `invoked` holds the function's name and the caller of each invocation. */
export const lambdaOver = (handler: (event: unknown, context: Context) => Promise<unknown>) => {
  const invoked: (readonly [name: string | undefined, by: string])[] = [];
  const send = async ({ input }: InvokeCommand) => {
    const event = gatewayEvent.parse(JSON.parse(z.string().parse(input.Payload)));
    invoked.push([input.FunctionName, event.requestContext.identity.userArn]);
    return { Payload: Buffer.from(JSON.stringify(await handler(event, lambdaContext))) };
  };
  return { invoked, send };
};
