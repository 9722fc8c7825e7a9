/** All ASCII punctuation. The local AWS ignores `excludePunctuation`, so the characters are listed. */
const punctuation = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';

/** A generated secret of letters and digits, which needs no escaping in addresses, JSON and headers. */
export const lettersAndDigits = (length: number) =>
  ({ excludePunctuation: true, excludeCharacters: punctuation, passwordLength: length }) as const;
