/** Half of a Unicode character, or U+FFFD, which stands where bytes were not UTF-8: what was meant is lost. */
export const isBroken = (text: string): boolean => !text.isWellFormed() || text.includes('\ufffd');
