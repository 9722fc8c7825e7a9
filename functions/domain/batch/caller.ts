/**
 * A caller without the name of a session. An assumed role's ARN ends in it, and it changes with every sign-in: who signs in again
 * is the same caller.
 */
export const withoutSession = (caller: string): string => caller.replace(/(:assumed-role\/[^/]+)\/.*$/, '$1');

/** A role's own ARN, with its path, as its sessions have it. */
const asSession = (arn: string): string =>
  arn.replace(/:iam::(\d+):role\/(?:.*\/)?([^/]+)$/, ':sts::$1:assumed-role/$2');

/** Whose name does not tell who they are: whoever makes a federated session chooses it. */
const isNameless = (caller: string): boolean => !caller.startsWith('arn:') || caller.includes(':federated-user/');

/** Whether two callers are two persons for sure. Two sessions of one role are one. */
const areTwoPersons = (one: string, other: string): boolean =>
  ![one, other].some(isNameless) && withoutSession(one) !== withoutSession(other);

/** Who the ledger names for what is done from the console: a widget is not told who clicks. */
export const consoleCaller = 'console (a CloudWatch dashboard)';

/** Who approves what a caller has started, in words. */
export const describeApprover = (starter: string): string =>
  starter === consoleCaller ? 'Somebody whom the setting approvers names' : 'Another person than the starter';

/**
 * Whether a caller may decide on what another has started: only when these are two persons for sure. Of what the console has
 * started nobody can tell, so the setting `approvers` has to name the caller besides.
 */
export const mayDecideOn = (caller: string, starter: string): boolean =>
  starter === consoleCaller ? !isNameless(caller) : areTwoPersons(caller, starter);

/** Whether a caller is one of these users and roles, as IAM or their sessions name them. */
export const isAmong = (caller: string, principals: readonly string[]): boolean =>
  principals.some((principal) => withoutSession(asSession(principal)) === withoutSession(caller));
