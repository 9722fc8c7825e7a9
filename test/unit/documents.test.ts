import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../../infra/local/paths.ts';

const files = globSync(['*.*', '{functions,infra,statemachines,test}/**/*.*'], { cwd: projectRoot });
const names = new Set(files.map((file) => path.basename(file)));

describe('the documents', () => {
  it.each(files.filter((file) => file.endsWith('.md')))('name TypeScript files that exist: %s', (document) => {
    const text = readFileSync(path.join(projectRoot, document), 'utf8');
    const named = [...text.matchAll(/`([\w./-]+\.ts)`/g)].map(([, file = '']) => path.basename(file));
    expect(named.filter((file) => !names.has(file))).toEqual([]);
  });
});
