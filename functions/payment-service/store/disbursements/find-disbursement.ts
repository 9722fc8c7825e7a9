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
import { groupItem, readDisbursementItem } from './disbursement-item.ts';

const keyText = ({ pk, sk }: Item): string => `${pk} ${sk}`;

/** The disbursements at these different places, in the same order. They are visible once their group is committed. */
export const readPlaces = async (context: Context, places: readonly ListMember[]) => {
  const groupIds = [...new Set(places.map(({ groupId }) => groupId))];
  const itemKeys = places.map(({ groupId, position }) => keys.disbursement(groupId, position));
  const items = await getAll(context, [...groupIds.map(keys.group), ...itemKeys]);
  const byKey = new Map(items.map((item) => [keyText(item), item]));
  return places.flatMap(({ groupId, position }) => {
    const marker = byKey.get(keyText(keys.group(groupId)));
    const item = byKey.get(keyText(keys.disbursement(groupId, position)));
    const group = marker && groupItem.parse(marker);
    if (group === undefined || item === undefined) return [];
    return [{ group, disbursement: readDisbursementItem(group, item) }];
  });
};

/** A disbursement of the account by its id. */
export const findById = async (context: Context, disbursementId: string) => {
  const place = placeOf(disbursementId);
  const [found] = place === undefined ? [] : await readPlaces(context, [place]);
  return found?.group.accountId === context.accountId ? found : undefined;
};

const referenceItem = z.object({
  disbursementId: z.string(),
  /** Disbursements that the fault `reference-twice` created after the first. Reuse that the settings allow adds none. */
  laterIds: z.set(z.string()).default(new Set()),
});

/**
 * The first disbursement with a reference, and those that the fault `reference-twice` created later; none if the reference is
 * unused. Lookups by the reference find the first.
 */
export const findByReference = async (context: Context, reference: string): Promise<readonly Disbursement[]> => {
  // The text can be anything, and the table rejects keys of more than 2048 bytes.
  if (!referencePattern.test(reference)) return [];
  const taken = await getItem(context.table, keys.reference(context.accountId, reference), referenceItem);
  const ids = taken === undefined ? [] : [taken.disbursementId, ...taken.laterIds];
  const found = await Promise.all(ids.map((id) => findById(context, id)));
  return found.flatMap((one) => one?.disbursement ?? []);
};

/** Looks a disbursement of this rail up by id, or by reference if no disbursement has that id. */
export const findOnRail = async (context: Context, rail: Rail, idOrReference: string) => {
  const byId = await findById(context, idOrReference);
  const [found] = byId === undefined ? await findByReference(context, idOrReference) : [byId.disbursement];
  return await unlessLagging(context, found?.rail === rail ? found : undefined);
};
