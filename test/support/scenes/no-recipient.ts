/** The columns that say who is paid, empty: a row that names nobody. */
export const noRecipient = {
  recipientId: '',
  bankCode: '',
  bankName: '',
  accountNumber: '',
  accountName: '',
  walletAddress: '',
} as const;
