import type { DrawnFile } from './draw-file.ts';

const counted = (kinds: readonly string[]): string =>
  [...Map.groupBy(kinds, (kind) => kind)]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([kind, { length }]) => `${String(length).padStart(6)}  ${kind}`)
    .join('\n');

/** Counts of files and rows by kind, one per line. */
export const describeFiles = (files: readonly DrawnFile[]): string => {
  const rows = files.filter(({ broken }) => broken === undefined).flatMap((file) => file.rows);
  const faults = rows.flatMap(({ fault }) => (fault === undefined ? [] : [`${fault.kind}: ${fault.code}`]));
  const kinds = files.map(({ broken, style, rows: all }) => {
    const isDamaged = all.some(({ fault }) => fault !== undefined);
    return broken === undefined
      ? `${style.format}, ${isDamaged ? 'with damaged rows' : 'all rows good'}`
      : `broken: ${broken.kind}`;
  });
  return [
    `${files.length} files`,
    counted(kinds),
    `${rows.length} rows of whole files, ${faults.length} damaged`,
    counted(faults),
  ].join('\n');
};
