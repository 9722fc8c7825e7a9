import { expect, it } from 'vitest';
import { tryProgram } from '../../../infra/local/run-program.ts';

it('shows a program’s lines whole, however they are written, and its last one without an end', async () => {
  const writes =
    "for (const [index, text] of ['ROLL', 'BACK\\nsec', 'ond\\n\\nlast'].entries()) setTimeout(() => process.stdout.write(text), 60 * index);";
  const lines: string[] = [];
  const { code, output } = await tryProgram(process.execPath, ['-e', writes], { onLine: (line) => lines.push(line) });
  expect({ code, output }).toEqual({ code: 0, output: 'ROLLBACK\nsecond\n\nlast' });
  expect(lines).toEqual(['ROLLBACK', 'second', 'last']);
});
