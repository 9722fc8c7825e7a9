/** What a table, or an index, takes at once from its first second on; nothing is set when it is 0. */
export function warmWrites(writeUnitsPerSecond: number) {
  return writeUnitsPerSecond === 0 ? {} : { warmThroughput: { writeUnitsPerSecond } };
}
