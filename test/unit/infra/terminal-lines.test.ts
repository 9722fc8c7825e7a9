import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { byHandLines, signedFunction } from '../../../infra/local/aws/terminal-lines.ts';

const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');

it('signs requests as the README does, whose lines the end-to-end tests run', () => {
  expect(readme).toContain(signedFunction);
  expect(byHandLines).toContain(signedFunction);
});
