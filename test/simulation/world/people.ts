import { operatorEndpoints } from '../../../infra/function-table/operator-endpoints.ts';

/** Callers of a run, in API Gateway's notation. */
export const starter = 'arn:aws:sts::123456789012:assumed-role/Operators/morning';
export const starterLater = 'arn:aws:sts::123456789012:assumed-role/Operators/evening';
export const approvers = [
  'arn:aws:iam::123456789012:user/treasurer',
  'arn:aws:iam::123456789012:user/controller',
] as const;

/** Timeout of the API's functions, in seconds. */
export const { timeoutSeconds: apiSeconds } = operatorEndpoints.StartBatch;
