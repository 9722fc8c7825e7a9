import { errorNames } from './errors.ts';
import type { Reason } from './payout.ts';

/** Turns the name of the error that ended an execution into a reason that says what to do. */
export const reasonForFailure = (errorName: string): Reason => {
  switch (errorName) {
    case errorNames.providerUnavailable:
      return {
        code: 'provider_unavailable',
        message: 'The provider did not answer for longer than was waited. Resume when it is back.',
      };
    case errorNames.providerRefused:
      return {
        code: 'provider_refused',
        message:
          'The provider refused a request, most likely the credentials. Mend them in Secrets Manager, then resume.',
      };
    case errorNames.invariantBroken:
      return {
        code: 'invariant_broken',
        message:
          'The ledger and the files contradict each other. Nothing more is submitted; look into it before you resume.',
      };
    case 'States.Timeout':
      return { code: 'step_timed_out', message: 'A step took longer than it may. Resume to go on from the ledger.' };
    default:
      return {
        code: 'step_failed',
        message: 'A step failed unexpectedly; the execution shows which. Resume to go on from the ledger, or cancel.',
      };
  }
};
