import { describe, expect, it } from 'vitest';
import { matches, parseMachine } from '../../../../infra/workflow/language.ts';

const task = { Type: 'Task', Resource: 'arn', TimeoutSeconds: 9 };
const last = { ...task, End: true };
const rule = { Variable: '$.next', StringEquals: 'on', Next: 'A' };
const catcher = { ErrorEquals: ['States.ALL'], ResultPath: null, Next: 'A' };
const choice = { Type: 'Choice', Choices: [rule], Default: 'A' };
const parallel = (inside: object) => ({
  Type: 'Parallel',
  Branches: [{ StartAt: 'B', States: { B: inside } }],
  End: true,
});

describe('the language of the workflow', () => {
  it.each([
    ['a state that is missing', { A: { ...task, Next: 'B' } }],
    ['a state that is missing in a branch', { A: parallel({ ...task, Next: 'A' }) }],
    ['a Catch that goes to a missing state', { A: { ...last, Catch: [{ ...catcher, Next: 'B' }] } }],
    ['a Catch of one error only', { A: { ...last, Catch: [{ ...catcher, ErrorEquals: ['Broke'] }] } }],
    ['a second Catch', { A: { ...last, Catch: [catcher, catcher] } }],
    ['a rule that goes to a missing state', { C: { ...choice, Choices: [{ ...rule, Next: 'B' }] }, A: last }],
    ['a rule that looks deeper than a field', { C: { ...choice, Choices: [{ ...rule, Variable: '$.a.b' }] }, A: last }],
    ['a choice without rules', { C: { ...choice, Choices: [] }, A: last }],
    ['a default that is missing', { C: { ...choice, Default: 'B' }, A: last }],
    ['a choice without a default', { C: { Type: 'Choice', Choices: [rule] }, A: last }],
    ['a rule that compares twice', { C: { ...choice, Choices: [{ ...rule, NumericEquals: 1 }] }, A: last }],
    ['a rule that compares nothing', { C: { ...choice, Choices: [{ Variable: '$.next', Next: 'A' }] }, A: last }],
    ['a state without a successor', { A: task }],
    ['a state with a successor and an end', { A: { ...last, Next: 'A' } }],
    ['a construct that nobody supports', { A: { ...last, HeartbeatSeconds: 5 } }],
  ])('refuses %s', (_, states) => {
    expect(() => parseMachine({ StartAt: Object.keys(states)[0], States: states })).toThrow();
  });

  it('refuses a machine that starts at a missing state', () => {
    expect(() => parseMachine({ StartAt: 'B', States: { A: last } })).toThrow();
  });

  it('accepts a machine without mistakes', () => {
    const states = { C: choice, A: { ...task, Next: 'P' }, P: { ...parallel(last), OutputPath: '$[0]' } };
    expect(Object.keys(parseMachine({ StartAt: 'C', States: states }).States)).toEqual(['C', 'A', 'P']);
  });

  it.each([
    ['States.ALL', 'Broke', true],
    ['States.ALL', 'States.Timeout', true],
    ['States.ALL', 'States.Runtime', false],
    ['States.ALL', 'States.DataLimitExceeded', false],
    ['States.TaskFailed', 'Broke', true],
    ['States.TaskFailed', 'States.Timeout', false],
    ['States.Timeout', 'States.Timeout', true],
    ['Broke', 'Other', false],
  ])('says that %s takes the error %s: %s', (name, error, takes) => {
    expect(matches({ ErrorEquals: [name] }, error)).toBe(takes);
  });
});
