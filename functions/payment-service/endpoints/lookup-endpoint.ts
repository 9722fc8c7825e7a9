import type { Account } from '../domain/account.ts';
import { RefusedWith } from '../http/answers.ts';
import type { Place } from '../http/endpoint.ts';
import { plainEndpoint } from '../http/endpoint.ts';
import type { Context } from '../store/context.ts';

interface Lookup<Found, Data> extends Place<Data> {
  readonly find: (context: Context, idOrReference: string) => Promise<Found | undefined>;
  readonly show: (account: Account, found: Found) => NoInfer<Data>;
  /** The message of a 404. */
  readonly missing: string;
}

/** An endpoint that finds one record by its id or reference, the path's only parameter. */
export const lookupEndpoint = <Found, Data>({ find, show, missing, ...place }: Lookup<Found, Data>) =>
  plainEndpoint<Data>({
    ...place,
    access: 'signed',
    refuses: [404],
    work: async (context, { account, params }) => {
      const [idOrReference = ''] = params.values();
      const found = await find(context, idOrReference);
      return found === undefined ? new RefusedWith(404, missing) : show(account, found);
    },
  });
