import type { CryptoMethod, FiatMethod, Order } from './account.ts';
import { Refused } from './account.ts';

export type Priced = Order & { method: { feeFlat: number; feePercentage: number } };

const object = (value: unknown): Record<string, unknown> => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Refused(400, 'Validation failed');
  return { ...value };
};

const text = (value: unknown): string => {
  if (typeof value !== 'string' || value === '') throw new Refused(400, 'Validation failed');
  return value;
};

const optionalText = (value: unknown): string | undefined => (value === undefined ? undefined : text(value));

const items = (value: unknown): Record<string, unknown>[] => {
  if (!Array.isArray(value) || value.length === 0) throw new Refused(400, 'Validation failed');
  return value.map(object);
};

const amountWithin = (value: unknown, least: number, most: number): number => {
  if (typeof value !== 'number' || value <= 0) throw new Refused(400, 'amount must be a positive number');
  if (value < least || value > most) throw new Refused(400, 'Amount is outside the limits of the payment method');
  return value;
};

const about = (item: Record<string, unknown>) => ({
  reference: optionalText(item['reference']),
  note: optionalText(item['note']),
});

/** Reads the body of `POST /v2/disbursement/fiat`. Throws `Refused` when it is invalid. */
export const fiatOrders = (methods: FiatMethod[], body: unknown): { currency: string; orders: Priced[] } => {
  const { currency: code, disburseData } = object(body);
  const currency = text(code);
  const orders = items(disburseData).map((item) => {
    const { email, name, bank: given } = object(item['recipient']);
    const bank = object(given);
    const bankCode = text(bank['bankCode']);
    const method = methods.find((one) => one.currency === currency && one.bankCode === bankCode);
    if (!method) throw new Refused(400, 'Payment method not found');
    const amount = amountWithin(item['amount'], method.minAmount, method.maxAmount);
    const to = {
      email: optionalText(email),
      name: optionalText(name),
      bank: {
        bankName: text(bank['bankName']),
        accountName: text(bank['accountName']),
        accountNumber: text(bank['accountNumber']),
        bankCode,
        currency,
      },
    };
    return { ...about(item), method, amount, to };
  });
  return { currency, orders };
};

/** Reads the body of `POST /v1/disbursement/crypto`. Throws `Refused` when it is invalid. */
export const cryptoOrders = (methods: CryptoMethod[], body: unknown): { currency: string; orders: Priced[] } => {
  const { token, receivers } = object(body);
  const currency = text(token);
  const method = methods.find((one) => one.currency === currency);
  if (!method) throw new Refused(400, 'Crypto not found');
  const orders = items(receivers).map((item) => ({
    ...about(item),
    method,
    amount: amountWithin(item['amount'], method.minimumAmount, method.maximumAmount),
    to: { receiverAddress: text(item['receiverWalletAddress']) },
  }));
  return { currency, orders };
};
