import { describe, expect, it } from 'vitest';
import { zipProofs } from '../../../../functions/api/batches/zip-proofs.ts';
import { endpoint } from '../../../../functions/api/endpoint.ts';
import * as operations from '../../../../functions/api/schemas/operations/batch-operations.ts';
import { InvalidCursor, OperatorApiFailed } from '../../../../functions/domain/errors.ts';
import { createZipProofs } from '../../../../functions/workflow/operator-functions.ts';
import { silentLog } from '../../../support/silent-log.ts';
import { batch, fakeFiles, fakeLedger, payout, plan } from '../../api/fixtures.ts';
import { lambdaOver } from './lambda-over.ts';

/** A batch with two pages of payouts: one without a cursor, and one for `c-2`. `found` is false when there is no batch. */
const lambdaWith = (found = true) => {
  const proof = { key: 'p', sha256: 's', bytes: 1 };
  const ledger = fakeLedger({
    getBatch: async () => (found ? batch({ plan }) : undefined),
    listPayouts: async ({ cursor }) => {
      if (cursor === 'c-2') return { items: [payout({ row: 9, proof })] };
      if (cursor !== undefined) throw new InvalidCursor();
      return { items: [payout({ proof })], cursor: 'c-2' };
    },
  });
  const files = fakeFiles({
    getProof: async () => Buffer.from('pdf'),
    putProofArchive: async (_, __, content) => {
      content.resume();
      return 'archives/b-1/1.zip';
    },
    linkTo: async (_, __, name) => `https://files.test/${name}`,
  });
  const dependencies = {
    ledger,
    files,
    settings: { fileLinkSeconds: 300 },
    clock: () => Date.parse('2026-01-05T00:00:00Z'),
    ids: { sortable: () => '1' },
  };
  const handler = endpoint(silentLog, operations.zipProofs, (request) => zipProofs(dependencies, request));
  const { invoked, send } = lambdaOver(handler);
  return { invoked, zipProofs: createZipProofs({ send }, 'ZipProofs') };
};

describe('proofs from the function of the operator API', () => {
  it('come from its links, part by part, in the given name', async () => {
    const { invoked, zipProofs } = lambdaWith();
    const expiresAt = '2026-01-05T00:05:00.000Z';
    expect(await zipProofs({ batchId: 'b-1' }, 'console')).toEqual({
      ...{
        kind: 'made',
        name: 'proofs-b-1-from-row-1.zip',
        url: 'https://files.test/proofs-b-1-from-row-1.zip',
        expiresAt,
      },
      ...{ proofs: 1, cursor: 'c-2' },
    });
    expect(await zipProofs({ batchId: 'b-1', cursor: 'c-2' }, 'console')).toEqual({
      ...{
        kind: 'made',
        name: 'proofs-b-1-from-row-9.zip',
        url: 'https://files.test/proofs-b-1-from-row-9.zip',
        expiresAt,
      },
      proofs: 1,
    });
    expect(invoked).toEqual(Array(2).fill(['ZipProofs', 'console']));
  });

  it.each([
    ['there is no such batch', false, undefined, { title: 'There is no such batch' }],
    ['no part gave out the cursor', true, 'c-3', { title: expect.stringContaining('request') }],
  ])('are refused with the API’s reason when %s', async (_, found, cursor, reason) => {
    const { zipProofs } = lambdaWith(found);
    const part = { batchId: 'b-1', ...(cursor === undefined ? {} : { cursor }) };
    expect(await zipProofs(part, 'console')).toMatchObject({ kind: 'refused', ...reason });
  });

  it('fail when the function did', async () => {
    const send = async () => ({ FunctionError: 'Unhandled', Payload: Buffer.from('{}') });
    const zipProofs = createZipProofs({ send }, 'ZipProofs');
    await expect(zipProofs({ batchId: 'b-1' }, 'console')).rejects.toThrow(OperatorApiFailed);
  });
});
