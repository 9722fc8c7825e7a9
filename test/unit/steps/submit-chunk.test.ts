import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { batchTransitions } from '../../../functions/domain/batch/batch-status.ts';
import type { ChunkFile } from '../../../functions/domain/batch/chunk-file.ts';
import { FileAltered, FileGone, InvariantBroken } from '../../../functions/domain/errors.ts';
import { payoutTransitions } from '../../../functions/domain/payout/payout-status.ts';
import type { SubmitAnswer } from '../../../functions/ports/provider.ts';
import { planOf } from '../../../functions/steps/as-step.ts';
import { submitChunk } from '../../../functions/steps/submit-chunk.ts';
import { tally } from '../../support/money.ts';
import type { BatchScene } from '../../support/scenes/batch-scene.ts';
import { batchId, createBatchScene } from '../../support/scenes/batch-scene.ts';
import { registeredChunk } from '../../support/scenes/registered-chunk.ts';

const run = (scene: BatchScene, invocation = scene.invocation) =>
  submitChunk(scene.dependencies, scene.inputOf(), invocation);

const outcomes = async (scene: BatchScene) =>
  (await registeredChunk(scene.ledger, batchId, 1)).calls.map(({ outcome }) => outcome?.kind);

describe('SubmitChunk', () => {
  it('registers, claims and posts a chunk in one call, counts it, and ends', async () => {
    const scene = await createBatchScene();
    expect(await run(scene)).toEqual({ batchId, chunk: 1, next: 'submitted', waitSeconds: 0 });
    expect(scene.posted).toEqual([['ref-1', 'ref-2', 'ref-3', 'ref-4']]);
    expect(scene.statuses()).toEqual(Array(4).fill('pending'));
    expect(await outcomes(scene)).toEqual(['accepted']);
    expect((await scene.record()).tallies).toEqual({ pending: tally(4, '1002', '4') });
  });

  it('counts what it claimed before the POST, so that money that may be gone is never counted as there', async () => {
    const scene = await createBatchScene();
    let atPost: unknown;
    scene.answers.push(async () => {
      atPost = (await scene.record()).tallies;
      return { kind: 'unknown', cause: 'timeout' };
    });
    await run(scene);
    expect(atPost).toEqual({ submitting: tally(4, '1002') });
  });

  it('reads its batch once and its payouts once without faults', async () => {
    const scene = await createBatchScene({ rows: 98 });
    scene.commands.length = 0;
    await run(scene);
    const reads = scene.commands.filter(({ name }) => /Get|Query/.test(name)).map(({ input }) => JSON.stringify(input));
    expect(reads.filter((text) => text.includes('"sk":"BATCH"'))).toHaveLength(1);
    expect(reads.filter((text) => text.includes('PAYOUT#'))).toHaveLength(1);
    // Two check if the chunk is registered, before its turn and in it. The fifth checks whether an accepted call ended refusals.
    expect(reads).toHaveLength(5);
    expect(scene.statuses()).toEqual(Array(98).fill('pending'));
  });

  it('posts nothing when it runs again after everything was submitted', async () => {
    const scene = await createBatchScene();
    await run(scene);
    await run(scene);
    expect(scene.posted).toHaveLength(1);
  });

  it('posts once when two invocations run concurrently', async () => {
    const scene = await createBatchScene();
    await Promise.all([run(scene), run(scene)]);
    expect(scene.posted).toHaveLength(1);
    expect(scene.statuses()).toEqual(Array(4).fill('pending'));
  });

  it.each([
    ['goes out again', 'forever', 30 * 86_400, 'pending', 2],
    ['goes out again', 1, 2700, 'pending', 2],
    ['is kept for a person', 1, 2800, 'quarantined', 1],
    ['is kept for a person', 0, 120, 'quarantined', 1],
  ] as const)(
    'a row that may have been made %s when its reference is unique for %s hours and %d s have passed',
    async (_name, referenceUniqueHours, seconds, status, posts) => {
      const scene = await createBatchScene({ rows: 1, traits: { rails: { fiat: { referenceUniqueHours } } } });
      scene.answers.push(() => ({ kind: 'unknown', cause: 'timeout' }));
      await run(scene);
      await scene.arrange(1, { status: 'ready' });
      scene.passSeconds(seconds);
      await run(scene);
      expect(scene.statuses()).toEqual([status]);
      expect(scene.posted).toHaveLength(posts);
      if (status === 'quarantined') expect(scene.payout(1).reason?.code).toBe('absent_but_not_repeatable');
    },
  );

  it('does not post rows claimed by an invocation that died during its call', async () => {
    const scene = await createBatchScene();
    scene.answers.push(() => {
      throw new Error('the function was ended');
    });
    await expect(run(scene)).rejects.toThrow('ended');
    expect(await run(scene)).toMatchObject({ next: 'submitted' });
    expect(scene.posted).toHaveLength(1);
    expect(scene.statuses()).toEqual(Array(4).fill('submitting'));
    expect(await outcomes(scene)).toEqual([undefined]);
  });

  it.each([0, 1, 2])(
    'continues a registration that stopped after %i payouts, and pays all of them',
    async (registered) => {
      const scene = await createBatchScene({ rows: 2 });
      const { ledger } = scene.dependencies;
      const cutOff = {
        ...ledger,
        registerPayouts: async (chunk: ChunkFile) => {
          if (registered > 0) await ledger.registerPayouts({ ...chunk, payouts: chunk.payouts.slice(0, registered) });
          throw new Error('the function was ended');
        },
      };
      await expect(
        submitChunk({ ...scene.dependencies, ledger: cutOff }, scene.inputOf(), scene.invocation),
      ).rejects.toThrow('ended');
      scene.forgetRecord();
      await run(scene);
      expect(scene.statuses()).toEqual(['pending', 'pending']);
      expect(scene.posted).toEqual([['ref-1', 'ref-2']]);
    },
  );

  const answers: [string, SubmitAnswer, string, string][] = [
    ['a timeout', { kind: 'unknown', cause: 'timeout' }, 'unknown', 'unknown'],
    ['a refused connection', { kind: 'not_sent', cause: 'refused' }, 'ready', 'not_sent'],
    ['credentials refused', { kind: 'halted' }, 'submitting', 'halted'],
  ];
  it.each(answers)('after %s leaves the payouts to Follow', async (_name, answer, status, outcome) => {
    const scene = await createBatchScene({ traits: { payoutsPerCall: 2 } });
    scene.answers.push(() => answer);
    expect(await run(scene)).toMatchObject({ next: 'submitted' });
    expect(scene.statuses().slice(0, 2)).toEqual([status, status]);
    expect((await outcomes(scene))[0]).toBe(outcome);
    // A call that was not sent would not be sent now either. A lost answer proves nothing about the next call.
    expect(scene.posted).toHaveLength(outcome === 'unknown' ? 2 : 1);
    expect((await scene.record()).tallies).toHaveProperty(status);
  });

  it('halts the batch when the credentials are refused', async () => {
    const scene = await createBatchScene();
    scene.answers.push(() => ({ kind: 'halted' }));
    await run(scene);
    expect(await scene.batch()).toMatchObject({ status: 'paused', reason: { code: 'credentials_refused' } });
    expect(scene.alarms).toEqual(['BatchHalted']);
  });

  it('isolates the row a 400 is about by halves and submits the others', async () => {
    const scene = await createBatchScene();
    const judge = (references: readonly string[]): SubmitAnswer =>
      references.includes('ref-3')
        ? { kind: 'rejected', message: 'Payment method not found' }
        : scene.accept(references);
    scene.answers.push(judge, judge, judge, judge, judge);
    await run(scene);
    expect(scene.posted).toEqual([
      ['ref-1', 'ref-2', 'ref-3', 'ref-4'],
      ['ref-1', 'ref-2'],
      ['ref-3', 'ref-4'],
      ['ref-3'],
      ['ref-4'],
    ]);
    expect(scene.statuses()).toEqual(['pending', 'pending', 'rejected', 'pending']);
  });

  it('looks up the rows of a half together, and each one when they are few', async () => {
    const scene = await createBatchScene({ rows: 60, settings: { equalRefusals: 1000 } });
    const refuse = (): SubmitAnswer => ({ kind: 'rejected', message: 'Payment method not found' });
    scene.answers.push(...Array.from({ length: 200 }, () => refuse));
    await run(scene);
    await run(scene);
    expect(scene.statuses()).toEqual(Array(60).fill('rejected'));
    const few = scene.posted.filter(({ length }) => length <= 3);
    expect(scene.listed.asked.lists).toHaveLength(scene.posted.length - few.length);
    expect(scene.listed.asked.lookUps).toHaveLength(few.flat().length + scene.posted.length - few.length);
  });

  it('adopts the payments of a refused call instead of submitting them again', async () => {
    const scene = await createBatchScene();
    scene.answers.push(() => {
      scene.listed.add(scene.disbursementOf('ref-2'));
      return { kind: 'rejected', message: 'bad' };
    });
    await run(scene);
    expect(scene.posted.flat().filter((reference) => reference === 'ref-2')).toHaveLength(1);
    expect(scene.statuses()).toEqual(Array(4).fill('pending'));
  });

  it('pauses the batch and keeps the payouts when the balance is too low', async () => {
    const scene = await createBatchScene();
    scene.answers.push(() => ({ kind: 'rejected', message: 'insufficient balance', isBalanceTooLow: true }));
    expect(await run(scene)).toMatchObject({ next: 'submitted' });
    expect(scene.posted).toHaveLength(1);
    expect(scene.statuses()).toEqual(Array(4).fill('ready'));
    expect(await scene.batch()).toMatchObject({ status: 'paused', reason: { code: 'insufficient_balance' } });
    await scene.resume();
    await run(scene);
    expect(scene.posted).toEqual([scene.posted[0], scene.posted[0]]);
    expect(scene.statuses()).toEqual(Array(4).fill('pending'));
  });

  it('rejects a reference that another batch holds and pays the others', async () => {
    const scene = await createBatchScene();
    const [chunk] = scene.files;
    if (chunk === undefined) throw new Error('no chunk');
    await scene.ledger.registerPayouts({ ...chunk, batchId: 'b-0', payouts: chunk.payouts.slice(1, 2) });
    await run(scene);
    expect(scene.posted).toEqual([['ref-1', 'ref-3', 'ref-4']]);
    const own = (await registeredChunk(scene.ledger, batchId, 1)).payouts;
    expect(own.map(({ status }) => status)).toEqual(['pending', 'rejected', 'pending', 'pending']);
  });

  it('omits quarantined rows, and submits the others of its chunk', async () => {
    const scene = await createBatchScene({ rows: 2 });
    scene.answers.push(() => ({ kind: 'not_sent', cause: 'refused' }));
    await run(scene);
    await scene.ledger.movePayout({ batchId, chunk: 1, row: 1 }, payoutTransitions.quarantineUnposted);
    await run(scene);
    expect(scene.posted).toEqual([['ref-1', 'ref-2'], ['ref-2']]);
    expect(scene.statuses()).toEqual(['quarantined', 'pending']);
  });

  it.each(['before it is registered', 'between two calls'])(
    'halts the batch and posts nothing from a chunk file that was altered %s',
    async (when) => {
      const scene = await createBatchScene();
      if (when === 'between two calls') {
        scene.answers.push(() => ({ kind: 'not_sent', cause: 'refused' }));
        await run(scene);
      }
      const posted = scene.posted.length;
      const getChunk = async () => Promise.reject(new FileAltered('chunks/1.json'));
      const { dependencies } = scene;
      const altered = { ...dependencies, files: { ...dependencies.files, getChunk } };
      expect(await submitChunk(altered, scene.inputOf(), scene.invocation)).toMatchObject({ next: 'submitted' });
      expect(await scene.batch()).toMatchObject({ status: 'paused', reason: { code: 'file_altered' } });
      expect(scene.alarms).toEqual(['BatchHalted']);
      expect(scene.posted).toHaveLength(posted);
      // Once a person has restored the file and resumed, its rows are paid.
      await scene.resume();
      await run(scene);
      expect(scene.statuses()).toEqual(Array(4).fill('pending'));
    },
  );

  it.each(['processing', 'being canceled'])(
    'fails, and changes nothing, while its chunk file is gone (%s)',
    async (what) => {
      const scene = await createBatchScene();
      if (what === 'being canceled') await scene.ledger.requestCancel(batchId, 'arn:person');
      const getChunk = async () => Promise.reject(new FileGone('chunks/1.json'));
      const { dependencies } = scene;
      const without = { ...dependencies, files: { ...dependencies.files, getChunk } };
      await expect(submitChunk(without, scene.inputOf(), scene.invocation)).rejects.toThrow(FileGone);
      expect(scene.posted).toEqual([]);
      expect(await scene.ledger.readChunk(batchId, 1)).toBeUndefined();
      expect((await scene.batch()).status).toBe('processing');
    },
  );

  it.each(['processing', 'paused'] as const)('says why a batch that was %s cannot be canceled', async (status) => {
    const scene = await createBatchScene();
    const reason = { code: 'paused_by_operator', message: '' };
    if (status === 'paused') await scene.ledger.moveBatch(batchId, batchTransitions.pause, 'arn:person', { reason });
    await scene.ledger.requestCancel(batchId, 'arn:person');
    const getChunk = async () => Promise.reject(new FileAltered('chunks/1.json'));
    const { dependencies } = scene;
    const altered = { ...dependencies, files: { ...dependencies.files, getChunk } };
    await submitChunk(altered, scene.inputOf(), scene.invocation);
    expect(await scene.batch()).toMatchObject({ status: 'paused', reason: { code: 'file_altered' } });
  });

  it('cancels the registered rows of an altered chunk file once its batch is canceled', async () => {
    const scene = await createBatchScene();
    scene.answers.push(() => ({ kind: 'not_sent', cause: 'refused' }));
    await run(scene);
    await scene.ledger.requestCancel(batchId, 'arn:person');
    const getChunk = async () => Promise.reject(new FileAltered('chunks/1.json'));
    const { dependencies } = scene;
    const altered = { ...dependencies, files: { ...dependencies.files, getChunk } };
    await submitChunk(altered, scene.inputOf(), scene.invocation);
    expect(scene.statuses()).toEqual(Array(4).fill('canceled'));
    expect(scene.alarms).toEqual(['BatchHalted']);
  });

  it.each([
    ['amount', { amount: '7' }, {}],
    ['reference', { reference: 'another' }, {}],
    ['recipient', { recipient: { kind: 'recipientId', recipientId: 'other' } }, {}],
    ['currency', {}, { currency: 'PHP' }],
    ['rail', {}, { rail: 'crypto' }],
  ] as const)(
    'throws, and posts nothing, when the chunk file’s %s differs from the ledger',
    async (_, changes, ofChunk) => {
      const scene = await createBatchScene({ rows: 2 });
      scene.answers.push(() => ({ kind: 'not_sent', cause: 'refused' }));
      await run(scene);
      const { files } = scene.dependencies;
      const getChunk: typeof files.getChunk = async (...of) => {
        const chunk = await files.getChunk(...of);
        return { ...chunk, ...ofChunk, payouts: chunk.payouts.map((payout) => ({ ...payout, ...changes })) };
      };
      const changed = { ...scene.dependencies, files: { ...files, getChunk } };
      await expect(submitChunk(changed, scene.inputOf(), scene.invocation)).rejects.toThrow(InvariantBroken);
      expect(scene.posted).toHaveLength(1);
    },
  );

  it.each([
    ['has registered', false],
    ['has registered before it died, without the chunk’s record', true],
  ])('posts a row that an older version %s', async (_, hasDied) => {
    const scene = await createBatchScene({ rows: 1, rail: 'crypto' });
    const walletAddress = 'UQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPuwA';
    const { files, ledger } = scene.dependencies;
    const getChunk: typeof files.getChunk = async (...of) => {
      const chunk = await files.getChunk(...of);
      const recipient = { kind: 'wallet', walletAddress } as const;
      return { ...chunk, payouts: chunk.payouts.map((payout) => ({ ...payout, recipient })) };
    };
    const toTon = { ...scene.dependencies, files: { ...files, getChunk } };
    const { payouts } = await ledger.registerPayouts(await getChunk(planOf(await scene.batch()), 1));
    const destinationHash = hash('sha256', `wallet\n${walletAddress}`);
    for (const payout of payouts) ledger.putPayout({ ...payout, destinationHash });
    if (hasDied) scene.forgetRecord();
    await submitChunk(toTon, scene.inputOf(), scene.invocation);
    expect(scene.posted).toEqual([['ref-1']]);
  });
});

describe('SubmitChunk for a batch that must not submit', () => {
  it('registers and posts nothing while it is paused', async () => {
    const scene = await createBatchScene();
    await scene.pause();
    scene.turns.push({ kind: 'now' });
    expect(await run(scene)).toMatchObject({ next: 'submitted' });
    expect(scene.posted).toEqual([]);
    // It does not take a turn from others either.
    expect(scene.turns).toHaveLength(1);
    expect(scene.statuses()).toEqual([]);
  });

  it('keeps rows ready that were registered before the pause', async () => {
    const scene = await createBatchScene();
    scene.answers.push(() => ({ kind: 'not_sent', cause: 'refused' }));
    await run(scene);
    await scene.pause();
    expect(await run(scene)).toMatchObject({ next: 'submitted' });
    expect(scene.posted).toHaveLength(1);
    expect(scene.statuses()).toEqual(Array(4).fill('ready'));
  });

  it('cancels unclaimed rows once it is canceled', async () => {
    const scene = await createBatchScene();
    await scene.ledger.requestCancel(batchId, 'arn:person');
    await run(scene);
    expect(scene.posted).toEqual([]);
    expect(scene.statuses()).toEqual(Array(4).fill('canceled'));
    expect((await scene.record()).tallies).toMatchObject({ canceled: { count: 4 } });
  });

  it('registers canceled rows in their own turn, and waits for no turn to POST', async () => {
    const scene = await createBatchScene();
    await scene.ledger.requestCancel(batchId, 'arn:person');
    scene.turns.push({ kind: 'later', waitMs: 2500 }, { kind: 'now' });
    expect(await run(scene)).toMatchObject({ next: 'wait', waitSeconds: 3 });
    expect(scene.statuses()).toEqual([]);
    expect(await run(scene)).toMatchObject({ next: 'submitted' });
    expect(scene.statuses()).toEqual(Array(4).fill('canceled'));
    expect(scene.turns).toEqual([]);
  });

  it('cancels no row that a call without an answer may have made', async () => {
    const scene = await createBatchScene();
    scene.answers.push(() => ({ kind: 'unknown', cause: 'timeout' }));
    await run(scene);
    // Three lookups found nothing, so it may be submitted again under its reference.
    await scene.arrange(2, { status: 'ready', absences: 0 });
    await scene.arrange(3, { status: 'ready', absences: 0 });
    await scene.ledger.requestCancel(batchId, 'arn:person');
    await run(scene);
    expect(scene.statuses()).toEqual(['unknown', 'quarantined', 'quarantined', 'unknown']);
    expect(scene.payout(2).reason?.code).toBe('canceled_but_may_exist');
    expect(scene.alarms).toEqual(['PayoutQuarantined', 'PayoutQuarantined']);
  });

  it.each(['pause', 'cancel'])('claims nothing after a %s between two of its calls', async (what) => {
    const scene = await createBatchScene({ traits: { payoutsPerCall: 2 } });
    scene.answers.push(async (references) => {
      if (what === 'pause') await scene.ledger.moveBatch(batchId, batchTransitions.pause, 'arn:person');
      else await scene.ledger.requestCancel(batchId, 'arn:person');
      return scene.accept(references);
    });
    await run(scene);
    expect(scene.posted).toEqual([['ref-1', 'ref-2']]);
    expect(scene.statuses()).toEqual(['pending', 'pending', 'ready', 'ready']);
    await run(scene);
    expect(scene.statuses().slice(2)).toEqual(Array(2).fill(what === 'pause' ? 'ready' : 'canceled'));
    expect(scene.posted).toHaveLength(1);
  });
});

describe('time and turns', () => {
  it('waits in the workflow when its turn is far away, and writes nothing meanwhile', async () => {
    const scene = await createBatchScene();
    scene.turns.push({ kind: 'later', waitMs: 61_500 });
    scene.commands.length = 0;
    expect(await run(scene)).toEqual({ batchId, chunk: 1, next: 'wait', waitSeconds: 62 });
    expect(scene.posted).toEqual([]);
    expect(scene.commands.filter(({ name }) => !/Get|Query/.test(name))).toEqual([]);
    expect(await run(scene)).toMatchObject({ next: 'submitted' });
    expect(scene.posted).toHaveLength(1);
  });

  it('registers once in its own turn, and takes another for each POST', async () => {
    const scene = await createBatchScene();
    const turns: string[] = [];
    const pace = {
      turn: async (kind: string) => {
        turns.push(kind);
        return { kind: 'now' } as const;
      },
    };
    scene.answers.push(() => ({ kind: 'not_sent', cause: 'refused' }));
    const submit = () => submitChunk({ ...scene.dependencies, pace }, scene.inputOf(), scene.invocation);
    await submit();
    expect(turns).toEqual(['register', 'post']);
    await submit();
    expect(turns).toEqual(['register', 'post', 'post']);
    expect(scene.posted).toHaveLength(2);
  });

  it('waits in the workflow when it has registered and its turn to POST is far away', async () => {
    const scene = await createBatchScene();
    scene.turns.push({ kind: 'now' }, { kind: 'later', waitMs: 3000 });
    expect(await run(scene)).toMatchObject({ next: 'wait', waitSeconds: 3 });
    expect(scene.statuses()).toEqual(Array(4).fill('ready'));
    await run(scene);
    expect(scene.posted).toHaveLength(1);
  });

  it('posts nothing before its turn, even shortly before', async () => {
    const scene = await createBatchScene();
    scene.turns.push({ kind: 'now' }, { kind: 'later', waitMs: 0 });
    expect(await run(scene)).toMatchObject({ next: 'wait', waitSeconds: 1 });
    expect(scene.posted).toEqual([]);
  });

  it('keeps its first call’s payouts when the second has to wait', async () => {
    const scene = await createBatchScene({ traits: { payoutsPerCall: 2 } });
    scene.turns.push({ kind: 'now' }, { kind: 'now' }, { kind: 'later', waitMs: 6000 });
    expect(await run(scene)).toMatchObject({ next: 'wait', waitSeconds: 6 });
    expect((await scene.record()).tallies).toMatchObject({ pending: { count: 2 }, ready: { count: 2 } });
  });

  it('does not begin a call when the invocation has too little time left for its answer', async () => {
    const scene = await createBatchScene();
    scene.turns.push({ kind: 'now' });
    expect(await run(scene, { remainingMs: () => 54_000 })).toMatchObject({ next: 'submitted' });
    expect(scene.posted).toEqual([]);
    expect(scene.statuses()).toEqual([]);
    expect(scene.turns).toHaveLength(1);
  });

  it('waits for its turn only while enough time is left for the call', async () => {
    const scene = await createBatchScene();
    const waits: number[] = [];
    const pace = {
      turn: async (_of: string, { withinMs }: { readonly withinMs: number }) => {
        waits.push(withinMs);
        return { kind: 'now' } as const;
      },
    };
    await submitChunk({ ...scene.dependencies, pace }, scene.inputOf(), { remainingMs: () => 58_000 });
    expect(waits).toEqual([3000, 3000]);
    expect(scene.posted).toHaveLength(1);
  });

  it('returns a claim unused when claiming took the time for the answer', async () => {
    const scene = await createBatchScene();
    const times = [80_000, 78_000, 75_000, 70_000, 39_000];
    expect(await run(scene, { remainingMs: () => times.shift() ?? 0 })).toMatchObject({ next: 'submitted' });
    expect(scene.posted).toEqual([]);
    expect(await outcomes(scene)).toEqual(['not_sent']);
    expect(scene.statuses()).toEqual(Array(4).fill('ready'));
  });
});
