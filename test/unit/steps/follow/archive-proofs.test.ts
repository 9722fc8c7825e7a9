import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ProviderUnavailable } from '../../../../functions/domain/errors.ts';
import { createExecution } from '../../../support/execution.ts';
import type { BatchScene, SceneOptions } from '../../../support/scenes/batch-scene.ts';
import { batchId, createBatchScene } from '../../../support/scenes/batch-scene.ts';

/** Everything is completed at the provider, but no sweep has seen it. */
const completed = async (options: SceneOptions = {}) => {
  const scene = await createBatchScene({ rows: 3, ...options });
  const run = createExecution(scene);
  await run.submitAll();
  scene.listed.settle('completed');
  return { scene, run };
};

const hasProof = ({ listed }: BatchScene, ...references: readonly string[]) => {
  for (const reference of references) listed.proofs.set(`d-${reference}`, new Uint8Array([1, 2, 3]));
};

const proofsOf = (scene: BatchScene) =>
  scene.files.flatMap(({ payouts }) => payouts).map(({ row }) => scene.payout(row).proof);

describe('the proofs of completed transfers', () => {
  it('are archived by the sweep that sees them completed, each once', async () => {
    const { scene, run } = await completed();
    hasProof(scene, 'ref-1', 'ref-2', 'ref-3');
    const output = await run.sweep();
    expect(output.next).toBe('report');
    expect(proofsOf(scene).map((proof) => proof?.bytes)).toEqual([3, 3, 3]);
    expect((await scene.record()).proofs).toBe(3);
    await run.sweep();
    await createExecution(scene, 2).sweep();
    expect(scene.listed.asked.proofs.toSorted()).toEqual(['d-ref-1', 'd-ref-2', 'd-ref-3']);
  });

  it('do not delay rows that are to be submitted', async () => {
    const scene = await createBatchScene({ chunks: 2, rows: 3 });
    const run = createExecution(scene);
    await run.submit([1]);
    await run.endRound();
    scene.listed.settle('completed');
    hasProof(scene, 'ref-1', 'ref-2', 'ref-3');
    const output = await run.sweep();
    expect(output.next).toBe('submit');
    expect(scene.listed.asked.proofs).toEqual([]);
    await run.goOn(output);
    await run.forSeconds(60);
    expect(scene.listed.asked.proofs.toSorted()).toEqual(['d-ref-1', 'd-ref-2', 'd-ref-3']);
  });

  it('are archived only until something is due', async () => {
    const scene = await createBatchScene({ chunks: 2, rows: 98, pauseAbove: 5 });
    const run = createExecution(scene);
    await run.submit([1]);
    await run.sweep();
    // The round has lasted so long that two sweeps are minutes apart. But the unpaid share is due every 30 seconds.
    scene.passSeconds(1500);
    scene.listed.settle('completed');
    scene.dependencies.provider.downloadProof = async () => {
      scene.passSeconds(10);
      return new Uint8Array([1, 2, 3]);
    };
    const began = scene.clock();
    await run.sweep();
    expect((await scene.record()).proofs).toBeGreaterThan(0);
    expect((scene.clock() - began) / 1000).toBeLessThan(100);
  });

  it.each(['crypto', 'failed'] as const)('do not exist for %s', async (what) => {
    const { scene, run } = await completed({ rail: what === 'crypto' ? 'crypto' : 'fiat' });
    if (what === 'failed') scene.listed.settle('failed');
    expect((await run.sweep()).next).toBe('report');
    expect(scene.listed.asked.proofs).toEqual([]);
  });

  it('are not expected for a payout that an operator settled without a disbursement', async () => {
    const { scene, run } = await completed();
    hasProof(scene, 'ref-1', 'ref-2');
    await scene.arrange(3, { status: 'completed', disbursementId: null });
    scene.listed.kept.pop();
    const start = scene.clock();
    await run.goOn(await run.until('report'));
    expect(scene.clock()).toBe(start);
    expect(scene.listed.asked.proofs.toSorted()).toEqual(['d-ref-1', 'd-ref-2']);
    expect((await scene.batch()).status).toBe('completed');
    expect(await scene.ledger.readProgress(batchId, { consistent: true })).toMatchObject({
      proofs: { archived: 2, expected: 2 },
    });
    expect(scene.payout(3)).not.toHaveProperty('proofTries');
  });

  it('are no longer expected for such a payout of an older batch, once it is resumed', async () => {
    const { scene, run } = await completed();
    hasProof(scene, 'ref-1', 'ref-2');
    await scene.arrange(3, { status: 'completed', disbursementId: null, proofTries: 6 });
    scene.listed.kept.pop();
    await run.until('report');
    // As it was counted before.
    const record = await scene.record();
    scene.ledger.putChunk({ ...record, proofsGivenUp: 1, contradictions: { recorded: 0, payouts: 0 } });
    expect(await scene.ledger.readProgress(batchId, { consistent: true })).toMatchObject({
      proofs: { archived: 2, expected: 3 },
    });
    const next = createExecution(scene, 2);
    await next.goOn(await next.sweep());
    const { version } = await scene.record();
    expect(await scene.ledger.readProgress(batchId, { consistent: true })).toMatchObject({
      proofs: { archived: 2, expected: 2 },
    });
    await scene.ledger.refreshChunk(batchId, 1);
    expect((await scene.record()).version).toBe(version);
  });
});

describe('a bucket that refuses proofs', () => {
  it('stops no sweep, and gets them once it accepts them again', async () => {
    const { scene, run } = await completed({ rows: 20 });
    hasProof(scene, ...Array.from({ length: 20 }, (_, index) => `ref-${index + 1}`));
    const { files } = scene.dependencies;
    const { putProof } = files;
    files.putProof = async () => {
      throw Object.assign(new Error('denied'), { name: 'AccessDenied' });
    };
    const output = await run.sweep();
    expect(output.next).toBe('wait');
    expect(output.waitSeconds).toBeGreaterThan(3);
    expect(new Set(scene.alarms)).toEqual(new Set(['ProofNotArchived']));
    expect(scene.lines).toContainEqual(expect.objectContaining({ code: 'ProofNotArchived', error: 'AccessDenied' }));
    // Only the requests in flight when it is noticed.
    expect(scene.listed.asked.proofs.length).toBeLessThan(20);
    expect((await scene.batch()).status).toBe('processing');
    files.putProof = putProof;
    await run.goOn(output);
    await run.goOn(await run.until('report'));
    expect(proofsOf(scene).map((proof) => proof?.bytes)).toEqual(Array(20).fill(3));
  });
});

describe('a proof that is not available yet', () => {
  it('is requested six times, after 5, 10, 20, 40 and 80 s, then given up, and the batch may end', async () => {
    const { scene, run } = await completed({ rows: 1 });
    const start = scene.clock();
    const askedAt: number[] = [];
    for (;;) {
      const { length } = scene.listed.asked.proofs;
      const output = await run.sweep();
      if (scene.listed.asked.proofs.length > length) askedAt.push((scene.clock() - start) / 1000);
      if (output.next === 'report') break;
      await run.goOn(output);
    }
    expect(askedAt).toEqual([0, 5, 15, 35, 75, 155]);
    expect(await scene.record()).toMatchObject({ proofs: 0, proofsGivenUp: 1 });
    expect(scene.lines).toContainEqual({ code: 'proofs.missing', batchId, chunk: 1, missing: 1 });
    await run.until('report');
    expect(scene.listed.asked.proofs).toHaveLength(6);
  });

  it('is requested again only by the first sweep of the next execution', async () => {
    const { scene, run } = await completed({ rows: 2 });
    hasProof(scene, 'ref-1');
    await run.until('report');
    expect(await scene.record()).toMatchObject({ proofs: 1, proofsGivenUp: 1 });
    hasProof(scene, 'ref-2');
    const { length } = scene.listed.asked.proofs;
    const next = createExecution(scene, 2);
    await next.goOn(await next.sweep());
    expect(scene.listed.asked.proofs.slice(length)).toEqual(['d-ref-2']);
    const record = await scene.record();
    expect(record.proofs).toBe(2);
    expect(record).not.toHaveProperty('proofsGivenUp');
  });

  it('that was given up is not requested with another one of its chunk', async () => {
    const { scene, run } = await completed({ rows: 2 });
    await run.goOn(await run.sweep());
    await scene.arrange(1, { proofTries: 6 });
    scene.listed.forgetAsked();
    await run.sweep();
    expect(scene.listed.asked.proofs).toEqual(['d-ref-2']);
  });

  it('is archived when it comes, at any attempt', async () => {
    const { scene, run } = await completed({ rows: 1 });
    await run.goOn(await run.sweep());
    await run.goOn(await run.sweep());
    hasProof(scene, 'ref-1');
    await run.until('report');
    expect(scene.listed.asked.proofs).toHaveLength(3);
    expect(await scene.record()).toMatchObject({ proofs: 1 });
  });

  it('is not expected for a returned transfer, which has its own alarm, and not requested again', async () => {
    const { scene, run } = await completed({ rows: 2 });
    hasProof(scene, 'ref-2');
    await run.sweep();
    // The list of changes does not show it, and no open payout would be confirmed.
    scene.listed.settle('failed', 'ref-1');
    await run.until('report');
    expect(scene.payout(1)).toMatchObject({ status: 'completed', contradictions: [{ observed: 'failed' }] });
    await scene.publishNews();
    expect(scene.alarms).toEqual(['PayoutChangedAfterEnd']);
    expect((await scene.record()).contradictions).toMatchObject({ withoutProof: 1 });
    const { length } = scene.listed.asked.proofs;
    await createExecution(scene, 2).sweep();
    expect(scene.listed.asked.proofs).toHaveLength(length);
  });

  it('is not counted as missing while the provider is unavailable, and the batch waits for it', async () => {
    const { scene, run } = await completed({ rows: 1 });
    scene.listed.ways.fails = (what) => what === 'proof';
    await run.forSeconds(3600);
    expect(scene.payout(1)).toMatchObject({ status: 'completed' });
    expect(scene.payout(1)).not.toHaveProperty('proofTries');
    expect(run.outputs.map(({ next }) => next)).not.toContain('report');
    expect(run.outputs.length).toBeLessThan(50);
    scene.listed.ways.fails = () => false;
    hasProof(scene, 'ref-1');
    await run.until('report');
    expect((await scene.record()).proofs).toBe(1);
  });
});

/** A second passes for each proof. */
const slowly = (scene: BatchScene): void => {
  const { provider } = scene.dependencies;
  const { downloadProof } = provider;
  provider.downloadProof = async (id) => {
    scene.passSeconds(1);
    return downloadProof(id);
  };
};

/** The documents of some references get no answer, which takes this many seconds each. The others come at once. */
const hanging = (scene: BatchScene, seconds: number, hangs: (number: number) => boolean): void => {
  const { provider } = scene.dependencies;
  const { downloadProof } = provider;
  provider.downloadProof = async (id) => {
    if (!hangs(Number(id.slice('d-ref-'.length)))) return downloadProof(id);
    scene.passSeconds(seconds);
    throw new ProviderUnavailable('timeout');
  };
};

describe('documents without an answer', () => {
  it('do not delay those of other chunks', async () => {
    const { scene, run } = await completed({ chunks: 3, rows: 30 });
    hasProof(scene, ...Array.from({ length: 90 }, (_, index) => `ref-${index + 1}`));
    hanging(scene, 25 / 6, (number) => number <= 30);
    await run.forSeconds(3600);
    expect([(await scene.record(2)).proofs, (await scene.record(3)).proofs]).toEqual([30, 30]);
  });

  it('do not delay those of their own chunk', async () => {
    const { scene, run } = await completed({ chunks: 6, rows: 30 });
    hasProof(scene, ...Array.from({ length: 180 }, (_, index) => `ref-${index + 1}`));
    hanging(scene, 25, (number) => number % 30 === 1);
    await run.forSeconds(3600);
    const proofs = await Promise.all([1, 2, 3, 4, 5, 6].map(async (chunk) => (await scene.record(chunk)).proofs));
    expect(proofs).toEqual(Array(6).fill(29));
  });

  it('are given up after a day, and the batch ends', async () => {
    const { scene, run } = await completed({ rows: 4 });
    hasProof(scene, 'ref-1', 'ref-2', 'ref-3', 'ref-4');
    scene.listed.ways.fails = (what, about) => what === 'proof' && about === 'd-ref-2';
    const start = scene.clock();
    await run.goOn(await run.until('report'));
    expect((scene.clock() - start) / 3_600_000).toBeGreaterThan(23);
    expect((scene.clock() - start) / 3_600_000).toBeLessThan(25);
    expect((await scene.batch()).status).toBe('completed');
    expect(await scene.record()).toMatchObject({ proofs: 3, proofsGivenUp: 1 });
  });
});

/** Lets each call last a few turns, and counts the calls, and the most at once. */
const counting = <Arguments extends unknown[], Result>(call: (...of: Arguments) => Promise<Result>) => {
  const calls = { all: 0, most: 0 };
  let underWay = 0;
  const counted = async (...of: Arguments): Promise<Result> => {
    calls.all += 1;
    underWay += 1;
    calls.most = Math.max(calls.most, underWay);
    for (let turns = 0; turns < 5; turns += 1) await setImmediate();
    underWay -= 1;
    return call(...of);
  };
  return { calls, counted };
};

describe('requests for proofs', () => {
  it.each([
    { chunks: 1, rows: 20 },
    { chunks: 7, rows: 2 },
    { chunks: 20, rows: 20 },
  ])('are made six at a time, for $chunks chunks', async (size) => {
    const { scene, run } = await completed(size);
    const { calls, counted } = counting(async () => new Uint8Array([1, 2, 3]));
    scene.dependencies.provider.downloadProof = counted;
    await run.sweep();
    expect(calls).toEqual({ all: size.chunks * size.rows, most: 6 });
  });

  it('are no longer made once a proof could not be recorded', async () => {
    const { scene, run } = await completed({ chunks: 6, rows: 20 });
    const { ledger, provider } = scene.dependencies;
    const { calls, counted } = counting(async () => new Uint8Array([1, 2, 3]));
    provider.downloadProof = counted;
    const { recordProof } = ledger;
    ledger.recordProof = async () => {
      ledger.recordProof = recordProof;
      throw new Error('throttled');
    };
    await expect(run.sweep()).rejects.toThrow('throttled');
    expect(calls.all).toBeLessThan(40);
  });

  it('that are given up have their payouts looked up eight at a time, for six chunks', async () => {
    const { scene, run } = await completed({ chunks: 6, rows: 10 });
    const { provider } = scene.dependencies;
    const { calls, counted } = counting(provider.lookUp);
    provider.lookUp = counted;
    await run.until('report');
    expect(calls).toEqual({ all: 60, most: 8 });
  });
});

describe('proofs and the time', () => {
  it.each([
    { what: 'all by one sweep, when every payout has ended', open: [], seconds: [60, 105], next: 'report' },
    { what: 'all by one sweep, while one is on hold for long', open: ['on_hold'], seconds: [60, 105], next: 'report' },
    { what: 'until the next sweep is due, while one is open', open: ['pending'], seconds: [1, 20], next: 'wait' },
  ] as const)('are archived $what', async ({ open, seconds, next }) => {
    const settings = { pollFirstSeconds: 10, onHoldFollowMinutes: 0 };
    const { scene, run } = await completed({ chunks: 5, rows: 20, settings });
    hasProof(scene, ...Array.from({ length: 100 }, (_, index) => `ref-${index + 1}`));
    for (const status of open) scene.listed.settle(status, 'ref-50');
    slowly(scene);
    const start = scene.clock();
    expect((await run.sweep()).next).toBe(next);
    expect((scene.clock() - start) / 1000).toBeGreaterThan(seconds[0]);
    expect((scene.clock() - start) / 1000).toBeLessThan(seconds[1]);
  });

  it('are archived before the next sweep is due, without delaying any status', async () => {
    const { scene, run } = await completed({ chunks: 5, rows: 20, settings: { pollFirstSeconds: 10 } });
    hasProof(scene, ...Array.from({ length: 100 }, (_, index) => `ref-${index + 1}`));
    slowly(scene);
    scene.listed.settle('pending', 'ref-50');
    const start = scene.clock();
    const output = await run.sweep();
    // Requests in flight at that time are completed.
    expect((scene.clock() - start) / 1000).toBeLessThan(10 + 6);
    expect(scene.statuses().filter((status) => status === 'completed')).toHaveLength(99);
    expect(output).toMatchObject({ next: 'wait', waitSeconds: 1 });
    scene.listed.settle('completed', 'ref-50');
    await run.goOn(output);
    await run.until('report');
    expect(proofsOf(scene).filter((proof) => proof !== undefined)).toHaveLength(100);
    expect(new Set(scene.listed.asked.proofs).size).toBe(scene.listed.asked.proofs.length);
  });

  it.each([
    ['on_hold', 'report'],
    ['pending', 'wait'],
  ] as const)(
    'are archived although a sweep takes longer than until the next one, with one %s',
    async (status, next) => {
      const settings = { pollFirstSeconds: 10, pollMaxSeconds: 60, onHoldFollowMinutes: 0 };
      const { scene, run } = await completed({ settings });
      hasProof(scene, 'ref-1', 'ref-2', 'ref-3');
      scene.listed.settle('pending', 'ref-1', 'ref-3');
      scene.listed.settle(status, 'ref-2');
      await run.sweep();
      scene.listed.settle('completed', 'ref-1', 'ref-3');
      scene.passSeconds(60);
      const { listDisbursements } = scene.dependencies.provider;
      scene.dependencies.provider.listDisbursements = async (of) => {
        scene.passSeconds(100);
        return listDisbursements(of);
      };
      expect((await run.sweep()).next).toBe(next);
      expect(scene.listed.asked.proofs.toSorted()).toEqual(['d-ref-1', 'd-ref-3']);
    },
  );

  it('are left to the next sweep when the function has no time for them', async () => {
    const { scene, run } = await completed();
    hasProof(scene, 'ref-1', 'ref-2', 'ref-3');
    let left = 900_000;
    const { provider } = scene.dependencies;
    const { listDisbursements } = provider;
    provider.listDisbursements = async (of) => {
      const page = await listDisbursements(of);
      left = 59_000;
      return page;
    };
    await run.sweep({ remainingMs: () => left });
    expect(scene.listed.asked.proofs).toEqual([]);
    provider.listDisbursements = listDisbursements;
    await run.until('report');
    expect(scene.listed.asked.proofs).toHaveLength(3);
  });

  it('are recorded once, by the key of a stored document, when two sweeps store the same one', async () => {
    const { scene, run } = await completed();
    const stored = new Set<string>();
    const { files, provider } = scene.dependencies;
    const { putProof } = files;
    files.putProof = async (...of) => {
      const proof = await putProof(...of);
      stored.add(proof.key);
      return proof;
    };
    // The provider creates the document again for each request.
    let made = 0;
    const bothAsked = Promise.withResolvers<void>();
    provider.downloadProof = async () => {
      made += 1;
      const pdf = new Uint8Array([made]);
      if (made === 6) bothAsked.resolve();
      await bothAsked.promise;
      return pdf;
    };
    await Promise.all([run.sweep(), createExecution(scene).sweep()]);
    const keys = proofsOf(scene).map((proof) => proof?.key ?? 'none');
    expect(made).toBe(6);
    expect(keys.filter((key) => stored.has(key))).toHaveLength(3);
    expect(await scene.record()).toMatchObject({ proofs: 3 });
  });
});
