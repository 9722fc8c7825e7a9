import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { shown } from '../../../../functions/api/views/shown.ts';

const line = z.strictObject({ code: z.string(), note: z.string().exactOptional() });
const record = z.strictObject({
  id: z.string(),
  first: line.exactOptional(),
  lines: z.array(line),
  counts: z.partialRecord(z.enum(['paid', 'open']), z.int()),
});

describe('an item as the API shows it', () => {
  it('has only promised fields, in records and lists too', () => {
    const secret = { code: 'c', account: '0123' };
    const item = { id: 'i', account: '0123', first: secret, lines: [secret, { ...secret, note: 'n' }], counts: {} };
    expect(shown(record, item)).toEqual({
      id: 'i',
      first: { code: 'c' },
      lines: [{ code: 'c' }, { code: 'c', note: 'n' }],
      counts: {},
    });
  });

  it('has its fields in the order of the schema, and none that are undefined', () => {
    const item = { counts: { paid: 0 }, lines: [], first: { note: undefined, code: 'c' }, id: 'i' };
    expect(JSON.stringify(shown(record, item))).toBe('{"id":"i","first":{"code":"c"},"lines":[],"counts":{"paid":0}}');
    expect(shown(record, { ...item, first: undefined })).not.toHaveProperty('first');
  });
});
