import type { Account } from '../domain/account.ts';
import { RefusedWith } from '../http/answers.ts';
import type { Place } from '../http/endpoint.ts';
import { plainEndpoint } from '../http/endpoint.ts';
import type { Context } from '../store/context.ts';

/**
 * An endpoint that finds one record by its id or reference, the path's only parameter.
 *
 * @param missing the message of a 404
 */
export const lookupEndpoint = <Found, Data>(
  place: Place<Data>,
  missing: string,
  find: (context: Context, idOrReference: string) => Promise<Found | undefined>,
  show: (account: Account, found: Found) => NoInfer<Data>,
) =>
  plainEndpoint({ ...place, access: 'signed', refuses: [404] }, async (context, { account, params }) => {
    const [idOrReference = ''] = params.values();
    const found = await find(context, idOrReference);
    return found === undefined ? new RefusedWith(404, missing) : show(account, found);
  });
