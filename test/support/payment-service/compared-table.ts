import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { expect } from 'vitest';
import type { Table } from '../../../functions/payment-service/store/table.ts';

/** What a caller sees of an answer or an error. A batch of reads has no order. */
const visible = (outcome: PromiseSettledResult<unknown>): unknown => {
  if (outcome.status === 'rejected') {
    const { name, Item } = outcome.reason;
    const reasons = outcome.reason instanceof TransactionCanceledException ? outcome.reason.CancellationReasons : [];
    return { name, Item, reasons: reasons?.map(({ Code, Item: item }) => ({ Code, Item: item })) };
  }
  const { Item, Items, Attributes, Count, LastEvaluatedKey, Responses } = Object(outcome.value);
  const keysOf = ({ pk, sk }: Readonly<Record<string, unknown>>) => `${pk} ${sk}`;
  const read = Object.values<readonly Record<string, unknown>[]>(Responses ?? {}).flat();
  const sorted = read.toSorted((a, b) => (keysOf(a) < keysOf(b) ? -1 : 1));
  return { Item, Items, Attributes, Count, LastEvaluatedKey, read: sorted };
};

/**
 * The table of the local AWS, which fails a test at the first request that the table in memory answers otherwise. Only for requests
 * that follow one another: concurrent ones could come in another order to each table.
 */
export const comparedTable = (real: Table, memory: Table): Table => {
  const client = Object.create(real.client);
  client.send = async (command: Parameters<typeof real.client.send>[0]) => {
    const [own] = await Promise.allSettled([memory.client.send(command)]);
    const [answer] = await Promise.allSettled([real.client.send(command)]);
    expect(visible(own), `the table in memory, to ${command.constructor.name}`).toEqual(visible(answer));
    if (answer.status === 'rejected') throw answer.reason;
    return answer.value;
  };
  return { name: real.name, client };
};
