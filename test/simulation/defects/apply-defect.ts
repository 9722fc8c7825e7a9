import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import type { Defect, Substitution } from './defects.ts';

const root = new URL('../../../', import.meta.url);

/** The file's text with one substitution made. Throws unless the text occurs exactly once. */
const substituted = (source: string, { file, find, put }: Substitution): string => {
  const parts = source.split(find);
  if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times: ${find}`);
  return parts.join(put);
};

/** True when every text that the defect replaces occurs in the product exactly once. */
export const fits = ({ substitutions }: Defect): boolean => {
  const texts = new Map(substitutions.map(({ file }) => [file, readFileSync(new URL(file, root), 'utf8')]));
  for (const substitution of substitutions) {
    texts.set(substitution.file, substituted(texts.get(substitution.file) ?? '', substitution));
  }
  return true;
};

/** Makes this process load the product with the defect. Call it before anything of the product is imported. */
export const applyDefect = (defect: Defect): void => {
  fits(defect);
  registerHooks({
    load: (url, context, nextLoad) => {
      const loaded = nextLoad(url, context);
      const mine = defect.substitutions.filter(({ file }) => url === new URL(file, root).href);
      if (mine.length === 0) return loaded;
      const source = mine.reduce(substituted, String(loaded.source));
      return { ...loaded, source };
    },
  });
};
