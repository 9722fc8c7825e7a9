/** A table for a terminal. The first column is aligned left, the others right if they hold `numbers`. */
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

/** Words of files and providers, without control characters that could steer the terminal. */
export const printable = (text: string): string => text.replaceAll(/\p{C}/gu, '?');
