/** A table for a terminal: the first column to the left, the others to the right where they are numbers. */
export const table = (
  header: readonly string[],
  rows: readonly (readonly string[])[],
  { numbers } = { numbers: true },
): string => {
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) =>
        column === 0 || !numbers ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd();
  return [line(header), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(line)].join('\n');
};
