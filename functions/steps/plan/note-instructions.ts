import { PassThrough } from 'node:stream';
import type { HashedFile, Initiation } from '../../domain/batch/plan.ts';
import { instructionLine } from '../../domain/pain-002/instruction-lines.ts';
import type { Seen } from '../../domain/payout-file/readers/pain-001/read-pain-001.ts';
import { storedWhileWritten } from '../../domain/report/stored-while-written.ts';
import type { PlanFiles } from '../../ports/files.ts';

/**
 * Stores a pain.001's own names and instructions while it is read, because the pain.002 has to name each of its transactions
 * again.
 */
export const noteInstructions = (planFiles: Pick<PlanFiles, 'putList'>) => {
  const lines = storedWhileWritten<string, HashedFile>(
    () => new PassThrough(),
    (file) => planFiles.putList('instructions.jsonl', file),
  );
  let initiation: Initiation | undefined;
  return {
    see: ({ message, instructions }: Seen): Promise<void> | void => {
      initiation = message;
      const text = instructions.map(instructionLine).join('');
      return text === '' ? undefined : lines.write(text);
    },
    /** Undefined when the file is not a pain.001. */
    finish: async (): Promise<Initiation | undefined> => {
      const instructions = await lines.finish();
      return initiation === undefined || instructions === undefined ? initiation : { ...initiation, instructions };
    },
  };
};
