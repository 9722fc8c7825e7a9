import { PlainError } from '../local/plain-error.ts';
import { keepsData } from '../settings.ts';

/** Digits and letters behind `throwaway-`: a stage's name has at most 20 characters. */
const randomLength = 8;

/** The name of a stage that keeps nothing, and that no other run has. */
export const newStage = (random: () => number): string => {
  const characters = Array.from({ length: randomLength }, () => Math.floor(random() * 36).toString(36));
  return `throwaway-${characters.join('')}`;
};

/**
 * The stage, when it may be destroyed.
 *
 * @throws PlainError for one that keeps its data
 */
export const throwawayStage = (stage: string): string => {
  if (stage !== 'local' && !keepsData(stage)) return stage;
  throw new PlainError(
    `The stage "${stage}" is not one to throw away, so nothing was done. Those are named throwaway or throwaway-….`,
  );
};

/** The names that its stacks have in CloudFormation, in the order they are made. */
export const stackNames = (stage: string): readonly string[] => [
  `PaymentService-${stage}`,
  `PayoutOrchestrator-${stage}`,
];
