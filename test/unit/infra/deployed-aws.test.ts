import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readKept, readKeptAddress } from '../../../infra/local/aws/deployed-aws.ts';

const aws = { endpoint: 'https://127.0.0.1:4566', region: 'us-east-1', caFile: 'c', pid: 1, folder: 'f' };
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'kept-up-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('the local AWS of an earlier run', () => {
  it.each([
    ['another version deployed it', JSON.stringify({ aws, outputs: { PayoutOrchestrator: {} } }), aws],
    ['its file is cut short', '{"aws":', undefined],
  ])('is not used when %s, but can be stopped if its address is known', async (_, text, stopped) => {
    const file = path.join(folder, 'state.json');
    await writeFile(file, text);
    expect(await readKept(file)).toBeUndefined();
    expect(await readKeptAddress(file)).toEqual(stopped);
  });

  it('does not exist without a file', async () => {
    const none = path.join(folder, 'none.json');
    expect([await readKept(none), await readKeptAddress(none)]).toEqual([undefined, undefined]);
  });
});
