import type { Service } from './api/service.ts';
import type { GroupDraft } from './domain/disbursement.ts';
import type { Strike } from './domain/faults.ts';
import { nothingStrikes, plannedFor, strikeBy } from './domain/faults.ts';
import { magicFault } from './domain/magic-faults.ts';
import type { FaultInjection } from './http/faulty-answer.ts';
import { magicReferences } from './http/magic-references.ts';
import type { Caller } from './http/router.ts';
import type { paymentServiceRuntime } from './runtime.ts';
import { takeStrike } from './store/strikes.ts';

type Runtime = ReturnType<typeof paymentServiceRuntime>;

/** What steers the sandbox is spared, so that a merchant can always take its faults back. */
const isSpared = (path: string): boolean => path === '/sandbox' || path.startsWith('/sandbox/');

/** How faults strike requests, by what the merchant has set and by the references they name. */
export function faultInjection({ table, pause, random }: Runtime): FaultInjection<Caller> {
  return {
    pause,
    random,
    strikeFor: ({ account, sandbox }, { method, path }, { params, request }) => {
      if (isSpared(path)) return undefined;
      const { creation, lookup } = magicReferences(params, request);
      const planned = [
        ...creation.flatMap((reference) => magicFault(reference, 'creation') ?? []),
        ...lookup.flatMap((reference) => magicFault(reference, 'lookup') ?? []),
        ...plannedFor(sandbox.faults, `${method} ${path}`),
      ];
      if (planned.length === 0) return undefined;
      const of = { ...account, faultsVersion: sandbox.faultsVersion };
      return strikeBy({ random, take: (one) => takeStrike(table, of, one) }, planned);
    },
  };
}

/** What would complete and stay so is taken back after it has completed. */
function takenBackLater<Draft extends GroupDraft>(draft: Draft): Draft {
  const items = draft.items.map((item) =>
    item.outcome === 'standard' ? { ...item, outcome: 'revert' as const } : item,
  );
  return { ...draft, items };
}

const hasStandardItem = ({ items }: GroupDraft): boolean => items.some(({ outcome }) => outcome === 'standard');

/**
 * The service with the faults that strike inside of it. Money moves by the same transactions as without: a disbursement
 * made twice is paid and booked twice.
 *
 * @param createAgain makes the same disbursements once more, under the references of those that were made
 */
export function withFaults(
  service: Service,
  strike: Strike,
  createAgain: (accountId: string, draft: GroupDraft) => Promise<void>,
): Service {
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
}
