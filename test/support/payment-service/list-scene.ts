import { createHash } from 'node:crypto';
import type {
  Disbursement,
  DisbursementStatus,
} from '../../../functions/payment-service/domain/disbursements/disbursement.ts';
import { groupIdFrom } from '../../../functions/payment-service/domain/disbursements/disbursement-id.ts';
import { setStatusByHand } from '../../../functions/payment-service/domain/disbursements/lifecycle.ts';
import type { Rail } from '../../../functions/payment-service/domain/money/currencies.ts';
import { Money } from '../../../functions/payment-service/domain/money/money.ts';
import {
  changeStatuses,
  changesAtOnce,
} from '../../../functions/payment-service/store/disbursements/change-statuses.ts';
import { createGroup } from '../../../functions/payment-service/store/disbursements/create-group.ts';
import { readWholeGroup } from '../../../functions/payment-service/store/disbursements/groups.ts';
import type { CreateGroupPorts } from '../../../functions/payment-service/store/disbursements/new-groups.ts';
import type { Pause, Table } from '../../../functions/payment-service/store/table.ts';

export interface PostedGroup {
  readonly rail: Rail;
  readonly currency: string;
  /** Status of each of its disbursements once they have settled; `pending` ones stay as they were made. */
  readonly settled: readonly DisbursementStatus[];
  /** Amounts go round in so many; wallets too. */
  readonly amounts?: number;
}

/** Posts and settles groups with the store's own verbs, by a clock that goes on a second with every look at it. */
export class ListScene {
  readonly accountId: string;
  readonly #ports: CreateGroupPorts;
  #seconds = 0;
  #groups = 0;

  constructor(table: Table, accountId: string, waits: { readonly pause: Pause; readonly random: () => number }) {
    this.accountId = accountId;
    this.#ports = {
      table,
      openingBalances: (_, currency) => Money.of('1000000000', currency),
      reusableCryptoReferences: false,
      now: () => this.#now(),
      ...waits,
      newGroupId: () => this.#newGroupId(),
      scheduleSettlement: async () => undefined,
    };
  }

  #now(): Date {
    this.#seconds += 1;
    return new Date(Date.parse('2026-01-01T00:00:00.000Z') + this.#seconds * 1000);
  }

  #newGroupId(): string {
    this.#groups += 1;
    return groupIdFrom(createHash('sha256').update(`${this.accountId} ${this.#groups}`).digest('hex').slice(0, 24));
  }

  get ports(): CreateGroupPorts {
    return this.#ports;
  }

  async post({ rail, currency, settled, amounts = 7 }: PostedGroup): Promise<readonly Disbursement[]> {
    const made = await createGroup(this.#ports, this.accountId, {
      rail,
      currency,
      items: settled.map((_, index) => ({
        amount: Money.of(`${1 + (index % amounts)}`, currency),
        fee: Money.of('0.1', currency),
        feePercentage: '0',
        recipient:
          rail === 'crypto'
            ? { kind: 'wallet', address: `0x${'a'.repeat(39)}${index % amounts}` }
            : {
                kind: 'bank',
                bank: {
                  bankName: 'BDO Unibank',
                  bankCode: 'BDO',
                  accountName: 'Maria Reyes',
                  accountNumber: '0012345',
                },
              },
        outcome: 'standard',
      })),
    });
    if (made.kind !== 'created') throw new Error(`the POST made nothing: ${made.kind}`);
    return made.disbursements;
  }

  /** Gives disbursements of a group their statuses, by position; `pending` is none. */
  async settle(groupId: string, settled: readonly DisbursementStatus[]): Promise<void> {
    const whole = await readWholeGroup(this.#ports.table, groupId);
    if (whole.kind !== 'committed') throw new Error('the group is not committed');
    const now = this.#now();
    const changes = whole.disbursements.flatMap((one) => {
      const to = settled[one.position] ?? 'pending';
      return to === 'pending' ? [] : [setStatusByHand(one, to, now)];
    });
    for (const part of changesAtOnce(changes)) {
      const { kind } = await changeStatuses(this.#ports, whole.group, part, false);
      if (kind !== 'changed') throw new Error(`the statuses were not changed: ${kind}`);
    }
  }

  async postAndSettle(group: PostedGroup): Promise<void> {
    const [first] = await this.post(group);
    if (first !== undefined) await this.settle(first.groupId, group.settled);
  }
}
