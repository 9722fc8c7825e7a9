import { oddCharacter } from './shown-value.ts';

/** Why an account number has not the form of one. Nothing of it is told but a character that it may not have. */
export const accountProblem = (account: string): string => {
  if (/^[+-]?\d[\d.,]*e\+?\d+$/i.test(account))
    return 'A spreadsheet has shortened the account number (E+ and digits at its end) and rounded it. Format the column as text and write the whole number again.';
  if (/^\d+[.,]0*$/.test(account))
    return 'A spreadsheet has made a number of the account number (a point at its end), and may have lost zeros in front. Format the column as text and write it again.';
  if (/^-/.test(account)) return '"accountNumber" begins with a hyphen. Write it without, as on the bank statement.';
  const odd = oddCharacter(account, /[A-Za-z0-9-]/);
  if (odd !== undefined) return `"accountNumber" has ${odd}. Write letters, digits and hyphens only.`;
  return '"accountNumber" has less than 4 characters. Write the whole number.';
};

/** Why a text is no mail address. */
export const emailProblem = (email: string): string => {
  const ats = email.split('@').length - 1;
  const why = /\s/.test(email)
    ? 'has a space'
    : ats !== 1
      ? `has ${ats === 0 ? 'no' : 'more than one'} @`
      : email.startsWith('@')
        ? 'has nothing before its @'
        : 'has no whole host after its @, such as example.com';
  return `"email" is not a mail address: it ${why}. Mend it, or leave it empty.`;
};

/** Why a reference has not the form of one. It may be a name, so only a character is told. */
export const referenceProblem = (reference: string): string => {
  const odd = oddCharacter(reference, /[A-Za-z0-9._:-]/);
  const why = odd === undefined ? `begins with "${reference.charAt(0)}"` : `has ${odd}`;
  return `"reference" ${why}. It may have letters, digits and . _ : - only, and begins with a letter or digit.`;
};
