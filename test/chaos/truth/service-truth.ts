import { DynamoDBClient, paginateListTables } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import Big from 'big.js';
import * as z from 'zod';

/** A disbursement that the payment service made. */
export interface ServiceDisbursement {
  readonly disbursementId: string;
  readonly reference?: string | undefined;
  readonly currency: string;
  readonly amount: string;
  readonly fee: string;
  readonly status: string;
  /** Every status it had, including the current one. A service may change an end. */
  readonly hasBeen: readonly string[];
  /** Every notation in which the file may name the recipient: `bank BCA 0012345678`, `recipient rcp_x`, `wallet 0x…`. */
  readonly destinations: readonly string[];
}

/** A conversion that the payment service made. Amounts are exact decimals. */
export interface ServiceConversion {
  readonly convertId: string;
  readonly inputCurrency: string;
  /** Taken from the balance. */
  readonly inputAmount: string;
  readonly outputCurrency: string;
  /** Added to the balance, after the fee. */
  readonly outputAmount: string;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** The payment service's actions, by its own table. */
export interface ServiceTruth {
  readonly disbursements: readonly ServiceDisbursement[];
  readonly conversions: readonly ServiceConversion[];
  /** By currency: the sum of the ledger's entries that left the balance, minus those that entered it. */
  readonly spent: ReadonlyMap<string, string>;
  /** By currency that ever moved: the balance when the account was opened, and now. */
  readonly balances: ReadonlyMap<string, { readonly opening: string; readonly now: string }>;
}

// Reads the table without the code that wrote it, so that a mistake of that code shows here.
const groupItem = z.object({
  pk: z.string().startsWith('GROUP#'),
  sk: z.literal('GROUP'),
  state: z.enum(['committed', 'abandoned']),
  currency: z.string().optional(),
});

const disbursementItem = z.object({
  pk: z.string().startsWith('GROUP#'),
  sk: z.string().startsWith('ITEM#'),
  groupId: z.string(),
  position: z.number(),
  reference: z.string().optional(),
  amount: z.string(),
  fee: z.string(),
  status: z.string(),
  changes: z.array(z.object({ status: z.string() })),
  recipient: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('bank'),
      recipientId: z.string().optional(),
      bank: z.object({ bankCode: z.string(), accountNumber: z.string() }),
    }),
    z.object({ kind: z.literal('wallet'), address: z.string() }),
  ]),
});

const entryItem = z.object({
  pk: z.string().startsWith('LEDGER#'),
  kind: z.string(),
  currency: z.string(),
  postings: z.array(z.object({ account: z.string(), amount: z.string() })),
});

const conversionItem = z
  .object({
    pk: z.string().startsWith('CONVERSION#'),
    convertId: z.string(),
    inputCurrency: z.string(),
    inputAmount: z.string(),
    outputCurrency: z.string(),
    totalConvertedAmount: z.string(),
    createdAt: z.string(),
  })
  .transform(
    ({ pk: _, totalConvertedAmount, ...conversion }): ServiceConversion => ({
      ...conversion,
      outputAmount: totalConvertedAmount,
    }),
  );

const balanceItem = z.object({ sk: z.string().startsWith('BALANCE#'), currency: z.string(), amount: z.string() });

type DisbursementItem = z.infer<typeof disbursementItem>;

const destinationsOf = ({ recipient }: DisbursementItem): readonly string[] => {
  if (recipient.kind === 'wallet') return [`wallet ${recipient.address}`];
  const { recipientId, bank } = recipient;
  const account = `bank ${bank.bankCode} ${bank.accountNumber}`;
  return recipientId === undefined ? [account] : [account, `recipient ${recipientId}`];
};

/** The net sums that the ledger's entries took from the balance, without the opening entries. */
const spentBy = (items: readonly unknown[]): ReadonlyMap<string, string> => {
  const spent = new Map<string, Big>();
  for (const item of items) {
    const { data: entry } = entryItem.safeParse(item);
    if (entry === undefined || entry.kind === 'opening') continue;
    for (const { amount } of entry.postings.filter(({ account }) => account === 'balance')) {
      spent.set(entry.currency, (spent.get(entry.currency) ?? new Big(0)).minus(amount));
    }
  }
  return new Map([...spent].map(([currency, amount]) => [currency, amount.toFixed()]));
};

const balancesIn = (items: readonly unknown[]): ServiceTruth['balances'] => {
  const openings = new Map<string, string>();
  for (const item of items) {
    const { data: entry } = entryItem.safeParse(item);
    const opened = entry?.postings.find(({ account }) => account === 'balance');
    if (entry?.kind === 'opening' && opened !== undefined) openings.set(entry.currency, opened.amount);
  }
  const balances = items.flatMap((item) => balanceItem.safeParse(item).data ?? []);
  return new Map(
    balances.map(({ currency, amount }) => [currency, { opening: openings.get(currency) ?? '0', now: amount }]),
  );
};

/**
 * Every disbursement and conversion in the items of the service's table, and their cost. Items of an uncommitted group do not
 * count: no money left for them.
 */
export const truthOf = (items: readonly unknown[]): ServiceTruth => {
  const committed = new Map<string, string>();
  for (const item of items) {
    const { data: group } = groupItem.safeParse(item);
    if (group?.state === 'committed' && group.currency !== undefined) committed.set(group.pk, group.currency);
  }
  const disbursements = items.flatMap((item): readonly ServiceDisbursement[] => {
    const { data: found } = disbursementItem.safeParse(item);
    const currency = found === undefined ? undefined : committed.get(found.pk);
    if (found === undefined || currency === undefined) return [];
    const { groupId, position, reference, amount, fee, status } = found;
    const hasBeen = [...found.changes.map((change) => change.status), status];
    const disbursementId = `${groupId.replace(/^grp_/, 'dsb_')}${position.toString().padStart(3, '0')}`;
    return [{ disbursementId, reference, currency, amount, fee, status, hasBeen, destinations: destinationsOf(found) }];
  });
  const conversions = items.flatMap((item) => conversionItem.safeParse(item).data ?? []);
  return { disbursements, conversions, spent: spentBy(items), balances: balancesIn(items) };
};

/** Reads the whole table of the deployed payment service. */
export const readServiceTruth = async (): Promise<ServiceTruth> => {
  const plain = new DynamoDBClient();
  const names: string[] = [];
  for await (const { TableNames = [] } of paginateListTables({ client: plain }, {})) names.push(...TableNames);
  const [table, another] = names.filter((name) => name.startsWith('PaymentService'));
  if (table === undefined || another !== undefined)
    throw new Error(`no single table of the service among ${names.join(', ')}`);
  const client = DynamoDBDocumentClient.from(plain);
  const items: unknown[] = [];
  for await (const { Items = [] } of paginateScan({ client }, { TableName: table, ConsistentRead: true })) {
    items.push(...Items);
  }
  return truthOf(items);
};
