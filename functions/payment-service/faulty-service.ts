import type { Service } from './api/service.ts';
import { clientIdOf } from './domain/account.ts';
import type { GroupDraft } from './domain/disbursements/disbursement.ts';
import type { PlannedFault, Strike } from './domain/sandbox/faults.ts';
import { nothingStrikes, plannedFor, strikeBy } from './domain/sandbox/faults.ts';
import { magicFault } from './domain/sandbox/magic-faults.ts';
import type { SandboxState } from './domain/sandbox/sandbox.ts';
import type { FaultInjection } from './http/faulty-answer.ts';
import { magicReferences, magicReferencesIn } from './http/magic-references.ts';
import type { Caller } from './http/router.ts';
import type { paymentServiceRuntime } from './runtime.ts';
import { takeStrike } from './store/sandbox/strikes.ts';
import type { Announcement } from './webhooks/announcement.ts';

type Runtime = ReturnType<typeof paymentServiceRuntime>;

/** What steers the sandbox is spared, so that a merchant can always take its faults back. */
const isSpared = (path: string): boolean => path === '/sandbox' || path.startsWith('/sandbox/');

type Whose = Pick<Caller['account'], 'accountId' | 'clientId'>;

/** How these faults strike, each strike counted in the table; undefined when there are none. */
const strikeOf = (
  { table, random }: Pick<Runtime, 'table' | 'random'>,
  { accountId, clientId }: Whose,
  { faultsVersion }: Pick<SandboxState, 'faultsVersion'>,
  planned: readonly PlannedFault[],
): Strike | undefined => {
  if (planned.length === 0) return undefined;
  const of = { accountId, clientId, faultsVersion };
  return strikeBy({ random, take: (one) => takeStrike(table, of, one) }, planned);
};

/** How faults strike requests, by what the merchant has set and by the references they name. */
export const faultInjection = (runtime: Runtime): FaultInjection<Caller> => {
  const { pause, random } = runtime;
  return {
    pause,
    random,
    strikeFor: ({ account, sandbox }, { method, path }, { params, request }) => {
      if (isSpared(path)) return undefined;
      const { creation, lookup } = magicReferences(params, request);
      return strikeOf(runtime, account, sandbox, [
        ...creation.flatMap((reference) => magicFault(reference, 'creation') ?? []),
        ...lookup.flatMap((reference) => magicFault(reference, 'lookup') ?? []),
        ...plannedFor(sandbox.faults, `${method} ${path}`),
      ]);
    },
  };
};

/** How faults strike a webhook, by the same: what is announced of an account, in the sandbox as it is steered now. */
export const webhookStrike = (
  runtime: Pick<Runtime, 'table' | 'random' | 'settings'>,
  sandbox: SandboxState,
  { accountId, type, body }: Announcement,
): Strike => {
  if (!runtime.settings.sandbox) return nothingStrikes;
  const planned = [
    ...magicReferencesIn(body).flatMap((reference) => magicFault(reference, 'webhook') ?? []),
    ...plannedFor(sandbox.faults, type),
  ];
  return strikeOf(runtime, { accountId, clientId: clientIdOf(accountId) }, sandbox, planned) ?? nothingStrikes;
};

/** What would complete and stay so is taken back after it has completed. */
const takenBackLater = <Draft extends GroupDraft>(draft: Draft): Draft => {
  const items = draft.items.map((item) =>
    item.outcome === 'standard' ? { ...item, outcome: 'revert' as const } : item,
  );
  return { ...draft, items };
};

const hasStandardItem = ({ items }: GroupDraft): boolean => items.some(({ outcome }) => outcome === 'standard');

/**
 * The service with the faults that strike inside of it. Money moves by the same transactions as without: a disbursement
 * made twice is paid and booked twice.
 *
 * @param createAgain makes the same disbursements once more, under the references of those that were made
 */
export const withFaults = (
  service: Service,
  strike: Strike,
  createAgain: (accountId: string, draft: GroupDraft) => Promise<void>,
): Service => {
  if (strike === nothingStrikes) return service;
  const shown = async <Found extends { readonly createdAt: string }>(found: Found | undefined) => {
    if (found === undefined) return undefined;
    const age = service.now().getTime() - Date.parse(found.createdAt);
    const lag = await strike('lookup-lag', ({ seconds }) => age < seconds * 1000);
    return lag === undefined ? found : undefined;
  };
  return {
    ...service,
    findOnRail: async (accountId, rail, idOrReference) =>
      await shown(await service.findOnRail(accountId, rail, idOrReference)),
    findDeposit: async (accountId, depositType, idOrReference) =>
      await shown(await service.findDeposit(accountId, depositType, idOrReference)),
    createGroups: async (accountId, [first, ...others]) => {
      const reverts = await strike('change-after-end', () => [first, ...others].some(hasStandardItem));
      if (reverts === undefined) return await service.createGroups(accountId, [first, ...others]);
      return await service.createGroups(accountId, [takenBackLater(first), ...others.map(takenBackLater)]);
    },
    createGroup: async (accountId, draft) => {
      const reverts = await strike('change-after-end', () => hasStandardItem(draft));
      const drafted = reverts === undefined ? draft : takenBackLater(draft);
      const made = await service.createGroup(accountId, drafted);
      const twice = await strike('reference-twice', () => draft.rail === 'crypto' && made.kind === 'created');
      if (twice !== undefined) await createAgain(accountId, drafted);
      return made;
    },
  };
};
