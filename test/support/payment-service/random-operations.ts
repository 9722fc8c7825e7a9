import type { Conversion } from '../../../functions/payment-service/domain/conversions/conversion.ts';
import { priceConversion } from '../../../functions/payment-service/domain/conversions/conversion.ts';
import { checkoutIdFrom } from '../../../functions/payment-service/domain/deposits/checkout.ts';
import { composeFiatDeposit } from '../../../functions/payment-service/domain/deposits/compose-deposit.ts';
import { depositStatuses } from '../../../functions/payment-service/domain/deposits/deposit.ts';
import {
  composeCryptoGroup,
  composeFiatGroup,
} from '../../../functions/payment-service/domain/disbursements/compose-group.ts';
import { statusesOf } from '../../../functions/payment-service/domain/disbursements/disbursement.ts';
import { Money } from '../../../functions/payment-service/domain/money/money.ts';
import { Refused } from '../../../functions/payment-service/domain/refused.ts';
import type { Context } from '../../../functions/payment-service/store/context.ts';
import { convert } from '../../../functions/payment-service/store/conversions/convert.ts';
import { setDepositStatus } from '../../../functions/payment-service/store/deposits/change-deposit.ts';
import { createDeposit } from '../../../functions/payment-service/store/deposits/create-deposit.ts';
import { setDisbursementStatus } from '../../../functions/payment-service/store/disbursements/change-statuses.ts';
import { createDisbursements } from '../../../functions/payment-service/store/disbursements/create-disbursements.ts';
import { findById } from '../../../functions/payment-service/store/disbursements/find-disbursement.ts';
import type { Table } from '../../../functions/payment-service/store/table.ts';
import type { Chance } from '../chance.ts';
import { newAccount } from './new-account.ts';
import { newContext, newSettings } from './new-context.ts';

const opening: Readonly<Record<string, string>> = { PHP: '200000', 'usdt-tron': '5000' };

/** The opening balance of the merchant. */
export const openingBalance = (currency: string): Money => Money.of(opening[currency] ?? '0', currency);

const bank = { accountName: 'Maria Reyes', accountNumber: '0012345678' };
const banks = {
  PHP: { ...bank, bankCode: 'BDO', bankName: 'BDO Unibank' },
  THB: { ...bank, bankCode: 'SCB', bankName: 'Siam Commercial Bank' },
} as const;

/** Random operations of one merchant on the store: disbursements, conversions, deposits, and changes of their statuses. */
export class RandomOperations {
  readonly context: Context;
  readonly disbursementIds: string[] = [];
  readonly depositIds: string[] = [];
  readonly conversions: Conversion[] = [];
  /** How often each operation had each outcome. */
  readonly outcomes = new Map<string, number>();
  readonly #chance: Chance;
  readonly #account = newAccount();

  constructor(table: Table, chance: Chance, change: Partial<Context> = {}) {
    this.#chance = chance;
    this.context = newContext({
      table,
      accountId: this.#account.accountId,
      settings: newSettings({ webhooks: { everyChange: true } }),
      openingBalance,
      random: () => chance.next(),
      randomHex: () => this.#hex(24),
      ...change,
    });
  }

  /** One operation, and then the next. Lanes may run concurrently. */
  async run(count: number): Promise<void> {
    /** Weighted by how often they occur. */
    const operations = [
      ['disburse', () => this.#disburse()],
      ['disburse', () => this.#disburse()],
      ['change a disbursement', () => this.#changeDisbursement()],
      ['change a disbursement', () => this.#changeDisbursement()],
      ['convert', () => this.#convert()],
      ['deposit', () => this.#deposit()],
      ['change a deposit', () => this.#changeDeposit()],
    ] as const;
    for (let done = 0; done < count; done += 1) {
      const [name, operation] = this.#chance.pick(operations);
      const outcome = `${name}: ${await operation()}`;
      this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
    }
  }

  #hex(length: number): string {
    return Array.from({ length }, () => this.#chance.int(0, 15).toString(16)).join('');
  }

  /** A random number with at most this many decimals. */
  #amount(from: number, to: number, decimals: number): string {
    return `${this.#chance.int(from, to - 1)}.${this.#chance.int(0, 10 ** decimals - 1)}`;
  }

  #oneOf<Value>(values: readonly Value[]): Value | undefined {
    return values[this.#chance.int(0, values.length - 1)];
  }

  async #disburse(): Promise<string> {
    const terms = { sandbox: true, batchSizeLimit: 100 };
    const currency = this.#chance.pick(['PHP', 'THB', 'usdt-tron'] as const);
    const count = this.#chance.int(1, 4);
    const composed =
      currency === 'usdt-tron'
        ? composeCryptoGroup(
            terms,
            currency,
            Array.from({ length: count }, () => ({
              receiverWalletAddress: 'TV2c3n1PyV8sfePATXTpMBnb7bCgDxfXn3',
              amount: this.#amount(1, 150, 6),
            })),
          )
        : composeFiatGroup(
            terms,
            currency,
            Array.from({ length: count }, () => ({
              recipient: { bank: banks[currency] },
              amount: this.#amount(50, 4000, 2),
            })),
          );
    if (composed instanceof Refused) throw new Error(composed.message);
    const created = await createDisbursements(this.context, [composed]);
    if (created.kind === 'created') {
      this.disbursementIds.push(...created.disbursements.map((one) => one.disbursementId));
    }
    return created.kind;
  }

  async #changeDisbursement(): Promise<string> {
    const id = this.#oneOf(this.disbursementIds);
    if (id === undefined) return 'nothing';
    const rail = (await findById(this.context, id))?.disbursement.rail ?? 'fiat';
    const status = this.#oneOf(statusesOf(rail)) ?? 'pending';
    return (await setDisbursementStatus(this.context, id, status)).kind;
  }

  async #convert(): Promise<string> {
    const conversion = priceConversion(
      { conversionFeePercentage: '0.5', rates: {}, account: this.#account.terms },
      {
        inputCurrency: 'usdt-tron',
        outputCurrency: this.#chance.pick(['PHP', 'THB']),
        inputAmount: this.#amount(1, 90, 6),
      },
    );
    if (conversion instanceof Refused) throw new Error(conversion.message);
    const outcome = await convert(this.context, `cnv_${this.#hex(24)}`, conversion, undefined);
    if (outcome === 'converted') this.conversions.push(conversion);
    return outcome;
  }

  async #deposit(): Promise<string> {
    const outputCurrency = this.#chance.pick(['PHP', 'usdt-tron']);
    const composed = composeFiatDeposit(
      { sandbox: true, rates: {}, conversionFeePercentage: '0.5', account: this.#account.terms },
      {
        inputCurrency: 'PHP',
        inputAmount: this.#amount(500, 5000, 2),
        outputCurrency,
        balanceType: outputCurrency === 'PHP' ? 'fiat' : 'crypto',
        paymentMethod: 'GCASH',
      },
      undefined,
    );
    if (composed instanceof Refused) throw new Error(composed.message);
    const depositId = checkoutIdFrom(this.#hex(32));
    const created = await createDeposit(this.context, composed, {
      depositId,
      expiresAt: () => new Date(this.context.now().getTime() + 3_600_000),
    });
    if (created.kind === 'created') this.depositIds.push(depositId);
    return created.kind;
  }

  async #changeDeposit(): Promise<string> {
    const id = this.#oneOf(this.depositIds);
    if (id === undefined) return 'nothing';
    return (await setDepositStatus(this.context, id, this.#oneOf(depositStatuses) ?? 'pending')).kind;
  }
}
