import * as z from 'zod';
import { once } from '../../domain/once.ts';
import type { EqualRefusals } from '../../domain/payout/equal-refusals.ts';
import type { PayoutLedger } from '../../ports/ledger/payout-ledger.ts';
import { changingSets, present, setting } from '../table/expressions.ts';
import { keys, partitions, sortPrefixes } from '../table/keys.ts';
import { reading } from '../table/reading.ts';
import type { PartDependencies } from '../table/store.ts';

const ids = once(() => z.set(z.string()).default(new Set()));
const readRefusals = reading('refusals', () => z.object({ pk: z.string(), sk: z.string(), rows: ids(), calls: ids() }));

/**
 * Consecutive refusals by the provider, by currency and fingerprint of their words. Stored as sets of rows and calls, so that
 * nothing counts twice.
 */
export const createRefusals = ({ store }: PartDependencies) =>
  ({
    countRefusal: async ({ batchId, currency, fingerprint }, { chunk, k, rows }): Promise<EqualRefusals> => {
      const [name, id] = rows.length === 1 ? ['rows', `${rows[0]}`] : ['calls', `${chunk}#${k}`];
      const { item } = await store.update(
        keys.refusals(batchId, currency, fingerprint),
        changingSets('ADD', { [name]: [id] }),
      );
      const refused = readRefusals(item ?? {});
      return { rows: refused.rows.size, calls: refused.calls.size };
    },

    forgetRefusals: async (batchId, currency) => {
      const prefix = `${sortPrefixes.refusals}${currency}#`;
      for await (const item of store.query({ pk: partitions.batch(batchId), prefix })) {
        const { pk, sk, rows, calls } = readRefusals(item);
        if (rows.size + calls.size > 0)
          await store.update({ pk, sk }, setting({ rows: null, calls: null }), present('pk'));
      }
    },
  }) satisfies Partial<PayoutLedger>;
