/** All ASCII punctuation. Named one by one, since the local AWS knows the list of excluded characters alone. */
const punctuation = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';

/** A generated secret of letters and digits: it can stand in an address, in JSON and in a header as it is. */
export const lettersAndDigits = (length: number) =>
  ({ excludePunctuation: true, excludeCharacters: punctuation, passwordLength: length }) as const;
