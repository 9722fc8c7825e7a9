import { createHash } from 'node:crypto';
import type {
  Disbursement,
  DisbursementStatus,
} from '../../../functions/payment-service/domain/disbursements/disbursement.ts';
import { setStatusByHand } from '../../../functions/payment-service/domain/disbursements/lifecycle.ts';
import type { Rail } from '../../../functions/payment-service/domain/money/currencies.ts';
import { Money } from '../../../functions/payment-service/domain/money/money.ts';
import type { Context } from '../../../functions/payment-service/store/context.ts';
import {
  changeStatuses,
  splitChanges,
} from '../../../functions/payment-service/store/disbursements/change-statuses.ts';
import { createDisbursements } from '../../../functions/payment-service/store/disbursements/create-disbursements.ts';
import { readWholeGroup } from '../../../functions/payment-service/store/disbursements/read-group.ts';
import type { Patience } from '../../../functions/payment-service/store/retry.ts';
import type { Table } from '../../../functions/payment-service/store/table.ts';
import { newContext } from './new-context.ts';

export interface PostedGroup {
  readonly rail: Rail;
  readonly currency: string;
  /** The final status of each disbursement. `pending` ones never change. */
  readonly settled: readonly DisbursementStatus[];
  /** The number of different amounts and wallets, which repeat in turn. */
  readonly amounts?: number;
}

const wallet = (digit: number) => ({ kind: 'wallet', address: `0x${'a'.repeat(39)}${digit}` }) as const;
const bankAccount = {
  kind: 'bank',
  bank: { bankName: 'BDO Unibank', bankCode: 'BDO', accountName: 'Maria Reyes', accountNumber: '0012345' },
} as const;

/** Posts and settles groups with the store's own functions. Its clock advances by a second with every look. */
export class ListScene {
  readonly context: Context;
  #seconds = 0;
  #groups = 0;

  constructor(table: Table, accountId: string, patience: Pick<Patience, 'pause' | 'random'>) {
    this.context = newContext({
      ...patience,
      table,
      accountId,
      openingBalance: (currency) => Money.of('1000000000', currency),
      now: () => this.#now(),
      randomHex: () => this.#randomHex(),
    });
  }

  #now(): Date {
    this.#seconds += 1;
    return new Date(Date.parse('2026-01-01T00:00:00.000Z') + this.#seconds * 1000);
  }

  #randomHex(): string {
    this.#groups += 1;
    return createHash('sha256').update(`${this.context.accountId} ${this.#groups}`).digest('hex').slice(0, 24);
  }

  async post({ rail, currency, settled, amounts = 7 }: PostedGroup): Promise<readonly Disbursement[]> {
    const items = settled.map((_, index) => ({
      amount: Money.of(`${1 + (index % amounts)}`, currency),
      fee: Money.of('0.1', currency),
      feePercentage: '0',
      recipient: rail === 'crypto' ? wallet(index % amounts) : bankAccount,
      outcome: 'standard' as const,
    }));
    const made = await createDisbursements(this.context, [{ rail, currency, items }]);
    if (made.kind !== 'created') throw new Error(`the POST created nothing: ${made.kind}`);
    return made.disbursements;
  }

  /** Gives disbursements of a group their statuses, by position. `pending` changes nothing. */
  async settle(groupId: string, settled: readonly DisbursementStatus[]): Promise<void> {
    const whole = await readWholeGroup(this.context.table, groupId);
    if (whole === undefined) throw new Error('the group is not committed');
    const now = this.#now();
    const changes = whole.disbursements.flatMap((one) => {
      const to = settled[one.position] ?? 'pending';
      return to === 'pending' ? [] : [setStatusByHand(one, to, now)];
    });
    for (const part of splitChanges(changes)) {
      const outcome = await changeStatuses(this.context, whole.group, part, false);
      if (outcome !== 'changed') throw new Error(`the statuses were not changed: ${outcome}`);
    }
  }

  async postAndSettle(group: PostedGroup): Promise<void> {
    const [first] = await this.post(group);
    if (first !== undefined) await this.settle(first.groupId, group.settled);
  }
}
