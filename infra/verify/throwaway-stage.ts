import { PlainError } from '../local/plain-error.ts';
import { keepsData } from '../settings.ts';

/** Characters after `throwaway-`. A stage's name has at most 20 characters. */
const randomLength = 8;

/** A new name for a stage that keeps no data. */
export const newStage = (random: () => number): string => {
  const characters = Array.from({ length: randomLength }, () => Math.floor(random() * 36).toString(36));
  return `throwaway-${characters.join('')}`;
};

/**
 * Returns the stage if it may be destroyed.
 *
 * @throws PlainError for any other stage, even the local one
 */
export const throwawayStage = (stage: string): string => {
  if (stage !== 'local' && !keepsData(stage)) return stage;
  throw new PlainError(
    `The stage "${stage}" is not a throwaway stage, so nothing was done. Only throwaway-… may be destroyed.`,
  );
};

/** The names of its stacks in CloudFormation, in the order of their creation. */
export const stackNames = (stage: string): readonly string[] => [
  `PaymentService-${stage}`,
  `PayoutOrchestrator-${stage}`,
];
