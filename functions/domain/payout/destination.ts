import type { PlannedPayout, Recipient } from '../batch/chunk-file.ts';

/** Where the money goes, as anybody may know it who looks at payouts. */
export interface ShownDestination {
  readonly bankCode?: string;
  /** The end of the account number, wallet address or recipient id: `***5678`. */
  readonly account: string;
}

/** What the shown end of an account follows. */
export const mask = '***';

const mostShown = 4;

/** The last four characters; of a text of less than eight no more than half. */
export const maskedAccount = (account: string): string => {
  const characters = [...account];
  const shown = Math.min(mostShown, Math.floor(characters.length / 2));
  return `${mask}${shown === 0 ? '' : characters.slice(-shown).join('')}`;
};

/** What of a recipient may be told without telling who it is. */
export const shownDestination = (recipient: Recipient): ShownDestination => {
  switch (recipient.kind) {
    case 'recipientId':
      return { account: maskedAccount(recipient.recipientId) };
    case 'bank':
      return { bankCode: recipient.bankCode, account: maskedAccount(recipient.accountNumber) };
    case 'wallet':
      return { account: maskedAccount(recipient.walletAddress) };
  }
};

/** Who is paid, as the file names them. */
export const nameOf = ({ name, recipient }: Pick<PlannedPayout, 'name' | 'recipient'>): string | undefined =>
  recipient.kind === 'bank' ? recipient.accountName : name;
