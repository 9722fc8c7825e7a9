import type { Offer, ViewIn } from '../../../../functions/payment-service/checkout-page/checkout-view.ts';
import { Money } from '../../../../functions/payment-service/domain/money/money.ts';

const rupiah = (amount: string): Money => Money.of(amount, 'IDR');

const shared = {
  checkoutId: 'chk_0123456789abcdef0123456789abcdef',
  merchantName: 'Kopi Nusantara',
  description: 'Two bags of coffee',
  returnUrl: undefined,
  expiresAt: '2026-11-21T06:15:00.000Z',
  secondsLeft: 842,
  sandbox: true,
} as const;

export const offers = {
  qr: { paymentMethod: 'QRIS', name: 'QRIS', kind: 'qris', fee: rupiah('1050'), total: rupiah('150000') },
  virtualAccount: { paymentMethod: 'BCA_VA', name: 'BCA', kind: 'va', fee: rupiah('4000'), total: rupiah('150000') },
  transfer: {
    paymentMethod: 'MANDIRI',
    name: 'Bank Mandiri',
    kind: 'bank_transfer',
    fee: rupiah('0'),
    total: rupiah('150000'),
  },
  wallet: { paymentMethod: 'GOPAY', name: 'GoPay', kind: 'ewallet', fee: rupiah('2250.5'), total: rupiah('150000') },
} as const satisfies Record<string, Offer>;

export const choosing: ViewIn<'choosing'> = {
  ...shared,
  state: 'choosing',
  amount: rupiah('150000'),
  offers: Object.values(offers),
};

export const qrData = '00020101021226610014ID.EXAMPLE.WWW0118936000000000000000021512345678901234553033605406150000';

export const awaiting: Readonly<Record<keyof typeof offers, ViewIn<'awaiting_payment'>>> = {
  qr: {
    ...shared,
    state: 'awaiting_payment',
    picked: offers.qr,
    instructions: { bankName: 'QRIS', bankCode: 'QRIS', accountName: 'Kopi Nusantara', qrData },
  },
  virtualAccount: {
    ...shared,
    state: 'awaiting_payment',
    picked: offers.virtualAccount,
    instructions: {
      bankName: 'BCA',
      bankCode: 'BCA_VA',
      accountName: 'Kopi Nusantara',
      accountNumber: '8808001234567890',
    },
  },
  transfer: {
    ...shared,
    state: 'awaiting_payment',
    picked: offers.transfer,
    instructions: {
      bankName: 'Bank Mandiri',
      bankCode: 'MANDIRI',
      accountName: 'PT Payment Service',
      accountNumber: '1370012345678',
      paymentReference: 'PAY-7F3K9',
    },
  },
  wallet: {
    ...shared,
    state: 'awaiting_payment',
    picked: offers.wallet,
    instructions: {
      bankName: 'GoPay',
      bankCode: 'GOPAY',
      accountName: 'Kopi Nusantara',
      checkoutUrl: 'https://wallet.example/pay/abc',
    },
  },
};

export const completed: ViewIn<'completed'> = {
  ...shared,
  state: 'completed',
  picked: offers.qr,
  paidAt: '2026-11-21T06:07:21.000Z',
};

export const expired: ViewIn<'expired'> = { ...shared, state: 'expired', picked: undefined, secondsLeft: 0 };
