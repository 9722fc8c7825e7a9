import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keptBundles } from '../../infra/constructs/kept-bundles.ts';

describe('kept bundles', () => {
  let folder: string;
  let input: string;
  let made: number;

  /** Writes a file that esbuild reads. By default it was saved before anything was bundled. */
  const save = (text: string, at = new Date(0)): void => {
    writeFileSync(input, text);
    utimesSync(input, at, at);
  };
  const make = () => {
    made += 1;
    return { bundles: new Map([['handler.js', Buffer.from(`made ${made} times`)]]), inputs: [input] };
  };
  const bundled = (from: unknown = 'options', making = make): string =>
    Buffer.from(keptBundles(from, making, path.join(folder, 'kept', 'bundles')).get('handler.js') ?? '').toString();

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'kept-bundles-'));
    input = path.join(folder, 'handler.ts');
    made = 0;
    save('one');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('are made once for the same files', () => {
    expect([bundled(), bundled()]).toEqual(['made 1 times', 'made 1 times']);
    expect(readdirSync(path.join(folder, 'kept'))).toEqual(['bundles']);
  });

  it.each([
    ['a file that they were made of has changed', () => save('two')],
    ['a file that they were made of is gone', () => rmSync(input)],
    ['what was kept cannot be read', () => writeFileSync(path.join(folder, 'kept', 'bundles'), 'cut off')],
  ])('are made again when %s', (_when, change) => {
    bundled();
    change();
    const again = () => ({ ...make(), inputs: [] });
    expect(bundled('options', again)).toBe('made 2 times');
  });

  it('are made again with other options', () => {
    expect([bundled('options'), bundled('others')]).toEqual(['made 1 times', 'made 2 times']);
  });

  it('are not kept when a file was saved while they were made', () => {
    const saving = () => {
      save('two', new Date(Date.now() + 1000));
      return make();
    };
    expect([bundled('options', saving), bundled('options', saving)]).toEqual(['made 1 times', 'made 2 times']);
  });
});
