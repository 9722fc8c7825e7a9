import { endSubmit } from '../../functions/steps/end-submit.ts';
import type { FollowInput, FollowOutput } from '../../functions/steps/follow.ts';
import { followBatch } from '../../functions/steps/follow.ts';
import { reportBatch } from '../../functions/steps/report-batch.ts';
import { submitChunk } from '../../functions/steps/submit-chunk.ts';
import type { BatchScene } from './scenes/batch-scene.ts';
import { batchId } from './scenes/batch-scene.ts';

/** More than any test needs. An execution with more sweeps is in a loop. */
const mostSweeps = 5000;

/** An invocation with the whole of its function's time left. */
const whole = { remainingMs: () => 900_000 };

/**
 * An execution of a batch's workflow from Disburse on, one state at a time: sweeps, and the states between them. Time passes only
 * in its waits.
 *
 * @param n its number among the batch's executions, from 1
 */
export const createExecution = (scene: BatchScene, n = 1) => {
  const execution = n === 1 ? batchId : `${batchId}-${n}`;
  let input: FollowInput = { batchId, execution, round: n === 1 ? 1 : 0, sweeps: 0 };
  const outputs: FollowOutput[] = [];

  const submit = async (chunks: readonly number[]): Promise<void> => {
    for (const chunk of chunks) await submitChunk(scene.dependencies, scene.inputOf(chunk), scene.invocation);
  };

  const endRound = () => endSubmit({ ledger: scene.ledger }, { batchId, execution, round: input.round });

  /** Runs one sweep. Afterward the state is the input of the next one. */
  const sweep = async (invocation = whole): Promise<FollowOutput> => {
    const output = await followBatch(scene.dependencies, input, invocation);
    outputs.push(output);
    const { round, sweeps } = output;
    input = { ...input, round, sweeps };
    return output;
  };

  /** Runs the states that follow a sweep. True when the workflow sweeps again. */
  const goOn = async (output: FollowOutput): Promise<boolean> => {
    switch (output.next) {
      case 'go_on':
        return true;
      case 'report_interim':
        await reportBatch(scene.dependencies, { batchId, execution, isInterim: true, sweeps: output.sweeps });
        scene.passSeconds(output.waitSeconds);
        return true;
      case 'wait':
        scene.passSeconds(output.waitSeconds);
        return true;
      case 'submit':
        await submit(scene.manifests.get(output.manifestKey) ?? []);
        await endRound();
        return true;
      case 'report': {
        const { next, round, sweeps } = await reportBatch(scene.dependencies, {
          batchId,
          execution,
          isInterim: false,
          sweeps: output.sweeps,
        });
        input = { ...input, round, sweeps };
        return next === 'follow';
      }
      case 'hand_over':
        return false;
    }
  };

  return {
    execution,
    outputs,
    submit,
    endRound,
    sweep,
    goOn,
    /** Submits every chunk and ends the round. */
    submitAll: async () => {
      await submit(scene.files.map(({ chunk }) => chunk));
      await endRound();
    },
    /** Continues until a sweep returns this `next`, and leaves that step undone. */
    until: async (wanted: FollowOutput['next'], most = mostSweeps): Promise<FollowOutput> => {
      for (let count = 1; count <= most; count += 1) {
        const output = await sweep();
        if (output.next === wanted || !(await goOn(output))) return output;
      }
      throw new Error(`no ${wanted} within ${most} sweeps`);
    },
    /** Continues for this many seconds. */
    forSeconds: async (seconds: number): Promise<void> => {
      const end = scene.clock() + seconds * 1000;
      while (scene.clock() < end) if (!(await goOn(await sweep()))) return;
    },
  };
};
