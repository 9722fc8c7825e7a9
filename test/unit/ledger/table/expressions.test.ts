import { describe, expect, it } from 'vitest';
import { InvariantBroken } from '../../../../functions/domain/errors.ts';
import { payoutTransitions } from '../../../../functions/domain/payout/payout-status.ts';
import { absent, and, equals, oneOf, or, setting } from '../../../../functions/ledger/table/expressions.ts';
import { namesIn, transactItem } from '../../../../functions/ledger/table/writes.ts';

describe('conditions', () => {
  it.each(Object.values(payoutTransitions))('of the move $name name exactly the statuses it may leave', ({ from }) => {
    const condition = oneOf('status', from);
    expect(Object.values(condition.values)).toEqual(from);
    expect(condition.text).toBe(`#status IN (${from.map((_, index) => `:status${index}`).join(', ')})`);
  });

  it('are rejected when they would allow nothing', () => {
    expect(() => oneOf('status', [])).toThrow(InvariantBroken);
  });

  it('combine with their values', () => {
    expect(or(absent('holder'), and(equals('holder', 'h'), equals('version', 3)))).toEqual({
      text: '(attribute_not_exists(#holder)) OR ((#holder = :is_holder) AND (#version = :is_version))',
      values: { ':is_holder': 'h', ':is_version': 3 },
    });
  });
});

describe('changes', () => {
  it('set given fields, remove null ones, and keep undefined ones', () => {
    expect(setting({ status: 'ready', reason: null, fee: undefined, page: 0 })).toEqual({
      text: 'SET #status = :to_status, #page = :to_page REMOVE #reason',
      values: { ':to_status': 'ready', ':to_page': 0 },
    });
  });
});

it('names each attribute of a text once, also those inside of others', () => {
  const text = 'SET #approval.#hash = :hash REMOVE #reason, #holder_2 ADD #hash :one';
  expect(namesIn(text)).toEqual({
    '#approval': 'approval',
    '#hash': 'hash',
    '#reason': 'reason',
    '#holder_2': 'holder_2',
  });
  expect(namesIn('nothing')).toEqual({});
});

it('a write without values carries no empty map of them', () => {
  const check = transactItem('table', { kind: 'check', key: { pk: 'p', sk: 's' }, condition: absent('pk') });
  expect(check.ConditionCheck).toEqual({
    TableName: 'table',
    Key: { pk: 'p', sk: 's' },
    ConditionExpression: 'attribute_not_exists(#pk)',
    ExpressionAttributeNames: { '#pk': 'pk' },
  });
});
