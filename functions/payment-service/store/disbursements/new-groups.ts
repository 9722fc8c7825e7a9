import type { Disbursement, GroupDraft } from '../../domain/disbursements/disbursement.ts';
import type { OpeningBalances } from '../balances.ts';
import type { Pause, Table } from '../table.ts';

/** Why a POST made nothing. */
export type GroupRefusal =
  | { readonly kind: 'insufficient_balance' }
  | { readonly kind: 'reference_used'; readonly reference: string }
  /** The reference belongs to a POST that is not decided yet, or was cut off and is not cleared away yet. */
  | { readonly kind: 'reference_in_progress'; readonly reference: string }
  | { readonly kind: 'busy' };

export type CreatedGroup = { readonly kind: 'created'; readonly disbursements: readonly Disbursement[] } | GroupRefusal;

export interface CreateGroupPorts {
  readonly table: Table;
  readonly openingBalances: OpeningBalances;
  /** Lets a crypto reference be taken a second time. */
  readonly reusableCryptoReferences: boolean;
  readonly now: () => Date;
  readonly pause: Pause;
  readonly random: () => number;
  readonly newGroupId: () => string;
  /** Has the group looked at later: settled when it was committed by then, cleared away when it was not. */
  readonly scheduleSettlement: (groupId: string, draft: GroupDraft) => Promise<void>;
}

export type NewGroup = GroupDraft & { readonly groupId: string; readonly accountId: string };

/** The groups of one POST: all of one rail, no two of one currency. */
export type NewGroups = readonly [NewGroup, ...NewGroup[]];
