/** Write units a second that a table or index takes from its first second. 0 sets nothing. */
export const warmWrites = (writeUnitsPerSecond: number) =>
  writeUnitsPerSecond === 0 ? {} : { warmThroughput: { writeUnitsPerSecond } };
