/** A field of the payout file: a column of a CSV or workbook, or a key of a JSON object. */
interface FieldRow {
  /** Most characters, in code points. Fields that the payment service receives have its limits, from its OpenAPI document. */
  readonly most: number;
  /** The rows that need it. */
  readonly needed: 'always' | 'bank account' | 'recipient id' | 'wallet' | 'no';
  /** One sentence for a person who fills in a file. PAYOUT-FILE.md has all rules. */
  readonly what: string;
  readonly example: string;
  /**
   * A spreadsheet's cell may have several lines. They become one, because the payment service accepts no line breaks, and a row of a
   * report is one line.
   */
  readonly isFreeText?: true;
  /** What other programs call it, in small letters without spaces: an error suggests the field. */
  readonly otherNames?: string;
}

const rows = {
  reference: {
    /** A file's own 64 (retries.ts), and `.r999` after them. */
    most: 69,
    needed: 'no',
    what: 'Your own name for the payout. Use each only once. Letters, digits and . _ : -',
    example: 'salary-2026-01-0007',
    otherNames: 'ref refno referenceno referencenumber id paymentid invoice invoiceno invoicenumber',
  },
  amount: {
    most: 40,
    needed: 'always',
    what: 'Digits and a point, without thousands separators',
    example: '1250000.50',
    otherNames: 'value sum total net netpay netamount salary',
  },
  currency: {
    most: 32,
    needed: 'always',
    what: 'A code such as IDR, or a token and its network such as usdt-tron',
    example: 'IDR',
    otherNames: 'cur ccy curr',
  },
  recipientId: {
    most: 64,
    needed: 'recipient id',
    what: 'In place of a bank account: the id that the provider gave the recipient',
    example: 'rcp_0007',
    otherNames: 'recipient payeeid beneficiaryid',
  },
  bankCode: {
    most: 40,
    needed: 'bank account',
    what: 'The bank’s code as the provider lists it',
    example: 'BCA',
    otherNames: 'swift swiftcode bic biccode routingnumber',
  },
  bankName: {
    most: 120,
    needed: 'bank account',
    what: 'The name of the bank that has this code',
    example: 'Bank Central Asia',
    isFreeText: true,
    otherNames: 'bank',
  },
  accountNumber: {
    /** The longest IBAN has 34. */
    most: 34,
    needed: 'bank account',
    what: 'As text, so that zeros in front stay. Letters, digits and hyphens',
    example: '0012345678',
    otherNames: 'account accountno accountnr acc accno acctno iban norek rekening',
  },
  accountName: {
    most: 140,
    needed: 'bank account',
    what: 'Whose account it is',
    example: 'A. Example',
    isFreeText: true,
    otherNames: 'accountholder holder beneficiary beneficiaryname payee payeename recipientname',
  },
  walletAddress: {
    most: 64,
    needed: 'wallet',
    what: 'In place of a bank account: an address of the currency’s network',
    example: 'TV2c3n1PyV8sfePATXTpMBnb7bCgDxfXn3',
    otherNames: 'wallet address walletaddr',
  },
  name: {
    most: 140,
    needed: 'no',
    what: 'The recipient’s name',
    example: 'A. Example',
    isFreeText: true,
  },
  email: {
    /** RFC 5321: the longest address a mail server accepts. */
    most: 254,
    needed: 'no',
    what: 'The recipient’s email address',
    example: 'a@example.com',
    otherNames: 'mail emailaddress',
  },
  note: {
    most: 255,
    needed: 'no',
    what: 'What it is for',
    example: 'Salary of January',
    isFreeText: true,
    otherNames: 'description memo remark remarks comment comments purpose message',
  },
} as const satisfies Readonly<Record<string, FieldRow>>;

export type PayoutField = keyof typeof rows;

/**
 * Every field of the payout file, in the order of the files that are written here. Readers, checks, the template, the console's
 * help and the reports derive from this table.
 */
export const fieldTable: Readonly<Record<PayoutField, FieldRow>> = rows;
