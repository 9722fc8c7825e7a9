import * as z from 'zod';
import type { Disbursement } from '../../domain/disbursements/disbursement.ts';
import { placeOf } from '../../domain/disbursements/disbursement-id.ts';
import type { ListMember } from '../../domain/lists/tree.ts';
import type { Rail } from '../../domain/money/currencies.ts';
import { referencePattern } from '../../domain/reference.ts';
import type { Context } from '../context.ts';
import { keys } from '../keys.ts';
import { getAll } from '../many-items.ts';
import { unlessLagging } from '../sandbox/lookup-lag.ts';
import type { Item } from '../table.ts';
import { getItem } from '../table.ts';
import type { CommittedGroup } from './disbursement-item.ts';
import { groupItem, readDisbursementItem } from './disbursement-item.ts';

interface FoundDisbursement {
  readonly group: CommittedGroup;
  readonly disbursement: Disbursement;
}

const keyText = ({ pk, sk }: Item): string => `${pk} ${sk}`;

/** The disbursements at these different places, in the same order. They are visible once their group is committed. */
export const readPlaces = async (
  context: Context,
  places: readonly ListMember[],
): Promise<readonly FoundDisbursement[]> => {
  const groupIds = [...new Set(places.map(({ groupId }) => groupId))];
  const itemKeys = places.map(({ groupId, position }) => keys.disbursement(groupId, position));
  const items = await getAll(context, [...groupIds.map(keys.group), ...itemKeys]);
  const byKey = new Map(items.map((item) => [keyText(item), item]));
  return places.flatMap(({ groupId, position }) => {
    const marker = byKey.get(keyText(keys.group(groupId)));
    const item = byKey.get(keyText(keys.disbursement(groupId, position)));
    const group = marker && groupItem.parse(marker);
    if (group?.state !== 'committed' || item === undefined) return [];
    return [{ group, disbursement: readDisbursementItem(group, item) }];
  });
};

/** A disbursement of the account by its id. */
export const findById = async (context: Context, disbursementId: string): Promise<FoundDisbursement | undefined> => {
  const place = placeOf(disbursementId);
  const [found] = place === undefined ? [] : await readPlaces(context, [place]);
  return found?.group.accountId === context.accountId ? found : undefined;
};

const referenceItem = z.object({
  disbursementId: z.string(),
  /** Disbursements created after the first, when a crypto reference was used again in a sandbox. */
  laterIds: z.set(z.string()).default(new Set()),
});

/** The ids of a reference's disbursements. Lookups by the reference find the first. */
const idsOf = async ({ table, accountId }: Context, reference: string): Promise<readonly string[]> => {
  // The text can be anything, and the table rejects keys of more than 2048 bytes.
  if (!referencePattern.test(reference)) return [];
  const found = await getItem(table, keys.reference(accountId, reference), referenceItem);
  return found === undefined ? [] : [found.disbursementId, ...found.laterIds];
};

/** The disbursement of the account that a lookup by the merchant's reference finds. */
export const findByReference = async (context: Context, reference: string): Promise<FoundDisbursement | undefined> => {
  const [id] = await idsOf(context, reference);
  return id === undefined ? undefined : await findById(context, id);
};

/** Every disbursement of a reference: one, unless a sandbox reused the reference. */
export const findAllByReference = async (context: Context, reference: string): Promise<readonly Disbursement[]> => {
  const ids = await idsOf(context, reference);
  const found = await Promise.all(ids.map((id) => findById(context, id)));
  return found.flatMap((one) => one?.disbursement ?? []);
};

/** Looks a disbursement of this rail up by id, or by reference if no disbursement has that id. */
export const findOnRail = async (
  context: Context,
  rail: Rail,
  idOrReference: string,
): Promise<Disbursement | undefined> => {
  const found = (await findById(context, idOrReference)) ?? (await findByReference(context, idOrReference));
  return await unlessLagging(context, found?.disbursement.rail === rail ? found.disbursement : undefined);
};
