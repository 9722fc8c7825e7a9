import type { PayoutField } from '../fields.ts';
import { payoutFields } from '../fields.ts';
import { guess } from './guess.ts';

/** Names of columns in other programs, in lower case without spaces. */
const otherNames: Readonly<Partial<Record<PayoutField, string>>> = {
  reference: 'ref refno referenceno referencenumber id paymentid invoice invoiceno invoicenumber',
  amount: 'value sum total net netpay netamount salary',
  currency: 'cur ccy curr',
  recipientId: 'recipient payeeid beneficiaryid',
  bankCode: 'swift swiftcode bic biccode routingnumber',
  bankName: 'bank',
  accountNumber: 'account accountno accountnr acc accno acctno iban norek rekening',
  accountName: 'accountholder holder beneficiary beneficiaryname payee payeename recipientname',
  walletAddress: 'wallet address walletaddr',
  email: 'mail emailaddress',
  note: 'description memo remark remarks comment comments purpose message',
};

const meantBy: ReadonlyMap<string, PayoutField> = new Map(
  payoutFields.flatMap((field) => (otherNames[field]?.split(' ') ?? []).map((name) => [name, field] as const)),
);

/** The column that a name probably means. Undefined when none is close. */
export const columnMeant = (name: string): PayoutField | undefined =>
  meantBy.get(name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')) ?? guess(name, payoutFields);
