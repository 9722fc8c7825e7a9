import { accountIdOf, clientIdOf } from '../domain/account.ts';
import type { SandboxState } from '../domain/sandbox/sandbox.ts';

export interface AddressPorts {
  readonly registeredAddress: (clientId: string) => Promise<string | undefined>;
  readonly sandboxOf: (clientId: string) => Promise<Pick<SandboxState, 'generation'>>;
}

/**
 * Where an account's webhooks go. Undefined when nobody listens: the merchant registered no address, or its sandbox was
 * reset since, and what was before is told to nobody.
 */
export const addressOf = async (ports: AddressPorts, accountId: string): Promise<string | undefined> => {
  const clientId = clientIdOf(accountId);
  const [address, { generation }] = await Promise.all([ports.registeredAddress(clientId), ports.sandboxOf(clientId)]);
  return accountId === accountIdOf(clientId, generation) ? address : undefined;
};
