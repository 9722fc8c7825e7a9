/** What a table, or an index, takes at once from its first second on; nothing is set when it is 0. */
export const warmWrites = (writeUnitsPerSecond: number) =>
  writeUnitsPerSecond === 0 ? {} : { warmThroughput: { writeUnitsPerSecond } };
