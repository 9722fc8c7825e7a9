/** The recipient's columns, all empty: a row that names nobody. */
export const noRecipient = {
  recipientId: '',
  bankCode: '',
  bankName: '',
  accountNumber: '',
  accountName: '',
  walletAddress: '',
} as const;
