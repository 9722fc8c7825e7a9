import type { AwaitReleaseDependencies, AwaitReleaseOutput } from '../../../functions/steps/funding/await-release.ts';
import { awaitRelease } from '../../../functions/steps/funding/await-release.ts';
import type { WaitingInput } from '../../../functions/steps/funding/count-waits.ts';
import type { PlanFundingDependencies } from '../../../functions/steps/funding/plan-funding.ts';
import { planBatchFunding } from '../../../functions/steps/funding/plan-funding.ts';

/** PlanFunding, then AwaitRelease when it follows, as in the workflow. */
export const planAndRelease = async (
  dependencies: PlanFundingDependencies & AwaitReleaseDependencies,
  input: WaitingInput,
): Promise<AwaitReleaseOutput> => {
  const planned = await planBatchFunding(dependencies, input);
  return planned.next === 'release' ? awaitRelease(dependencies, input) : planned;
};
