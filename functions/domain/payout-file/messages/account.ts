import { oddCharacter } from './shown-value.ts';

/** Says why a text is no account number. Shows at most one character of it, one that is not allowed. */
export const accountProblem = (account: string): string => {
  if (/^[+-]?\d[\d.,]*e\+?\d+$/i.test(account))
    return 'A spreadsheet has shortened the account number (E+ and digits at its end) and rounded it. Format the column as text and write the whole number again.';
  if (/^\d+[.,]0*$/.test(account))
    return 'A spreadsheet has turned the account number into a number (a point at its end), and may have lost zeros in front. Format the column as text and write it again.';
  if (/^-/.test(account)) return '"accountNumber" begins with a hyphen. Write it without, as on the bank statement.';
  const odd = oddCharacter(account, /[A-Za-z0-9-]/);
  if (odd !== undefined) return `"accountNumber" has ${odd}. Write letters, digits and hyphens only.`;
  return '"accountNumber" has less than 4 characters. Write the whole number.';
};

/** Says why a text is no mail address. */
export const emailProblem = (email: string): string => {
  const ats = email.split('@').length - 1;
  const why = /\s/.test(email)
    ? 'has a space'
    : ats !== 1
      ? `has ${ats === 0 ? 'no' : 'more than one'} @`
      : email.startsWith('@')
        ? 'has nothing before its @'
        : 'has no whole host after its @, such as example.com';
  return `"email" is not a mail address: it ${why}. Correct it, or leave it empty.`;
};

/** Says why a text is no reference. It may be a person's name, so at most one character is shown. */
export const referenceProblem = (reference: string): string => {
  const odd = oddCharacter(reference, /[A-Za-z0-9._:-]/);
  const why = odd === undefined ? `begins with "${reference.charAt(0)}"` : `has ${odd}`;
  return `"reference" ${why}. It may have letters, digits and . _ : - only, and begins with a letter or digit.`;
};
