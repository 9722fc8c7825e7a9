/**
 * Removes the session name from a caller's ARN. An assumed role's ARN ends in one, and it changes with every sign-in, but the
 * caller is the same.
 */
export const withoutSession = (caller: string): string => caller.replace(/(:assumed-role\/[^/]+)\/.*$/, '$1');

/** Turns a role's own ARN, which may have a path, into the form that its sessions have. */
const asSession = (arn: string): string =>
  arn.replace(/:iam::(\d+):role\/(?:.*\/)?([^/]+)$/, ':sts::$1:assumed-role/$2');

/** True when the caller's name does not identify a person. The creator of a federated session chooses its name. */
const isNameless = (caller: string): boolean => !caller.startsWith('arn:') || caller.includes(':federated-user/');

/** True when two callers are certainly two persons. Two sessions of one role count as one. */
const areTwoPersons = (one: string, other: string): boolean =>
  ![one, other].some(isNameless) && withoutSession(one) !== withoutSession(other);

/** Recorded as the caller of console actions, because a widget does not learn who clicks. */
export const consoleCaller = 'console (a CloudWatch dashboard)';

/** Describes who may approve what a caller has started. */
export const describeApprover = (starter: string): string =>
  starter === consoleCaller ? 'Someone listed in the setting approvers' : 'Someone other than the starter';

/** Explains why nobody may decide on what a caller has started. Undefined when someone may. */
export const whyNobodyDecides = (starter: string): string | undefined =>
  starter !== consoleCaller && isNameless(starter)
    ? 'Nobody can approve or reject it, because its starter is neither an IAM user nor a role. ' +
      'Cancel it, and let a user or a role start it.'
    : undefined;

/** Explains why a caller may not decide on what another has started. */
export const whyNotDeciding = (caller: string, starter: string): string => {
  const nobody = whyNobodyDecides(starter);
  if (nobody !== undefined) return nobody;
  return isNameless(caller)
    ? `${caller} is neither an IAM user nor a role, so it may not decide. Sign as one.`
    : `${starter} started it, so another person must decide. Sessions of one role count as one person.`;
};

/**
 * True when a caller may decide on what another has started: only when they are certainly two persons. Nobody knows who started a
 * batch from the console, so then the setting `approvers` must name the caller as well.
 */
export const mayDecideOn = (caller: string, starter: string): boolean =>
  starter === consoleCaller ? !isNameless(caller) : areTwoPersons(caller, starter);

/** True when a caller is one of these users and roles, named by IAM or by their sessions. */
export const isAmong = (caller: string, principals: readonly string[]): boolean =>
  principals.some((principal) => withoutSession(asSession(principal)) === withoutSession(caller));
