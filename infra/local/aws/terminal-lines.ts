import { localStage } from './deploy.ts';
import type { DeployedAws } from './deployed-aws.ts';
import { environmentFor } from './emulator.ts';
import { paymentServiceAccess } from './payment-service.ts';

/** Shell lines that make the AWS CLI and curl use the local AWS and the payment service on it. */
export const exportLines = async ({ aws, outputs, approvers }: DeployedAws): Promise<string> => {
  const { ApiUrl, FilesBucket, StateMachineArn, ReapplyWebhooksFunction } = outputs.PayoutOrchestrator;
  const [{ accessKeyId, secretAccessKey }] = approvers;
  return Object.entries({
    ...environmentFor(aws),
    STAGE: localStage,
    API_URL: ApiUrl,
    FILES_BUCKET: FilesBucket,
    STATE_MACHINE_ARN: StateMachineArn,
    REAPPLY_WEBHOOKS_FUNCTION: ReapplyWebhooksFunction,
    APPROVER: `${accessKeyId}:${secretAccessKey}`,
    ...(await paymentServiceAccess(outputs)),
  })
    .map(([name, value]) => `export ${name}=${value}`)
    .join('\n');
};

/** The shell function that signs requests, as in the README. */
export const signedFunction = `signed() { curl --silent \${AWS_CA_BUNDLE:+--cacert "$AWS_CA_BUNDLE"} --aws-sigv4 "aws:amz:$AWS_REGION:execute-api" \\
  --user "$AWS_ACCESS_KEY_ID:$AWS_SECRET_ACCESS_KEY" \${AWS_SESSION_TOKEN:+-H "x-amz-security-token: $AWS_SESSION_TOKEN"} "$@"; }`;

/** Shell lines that do by hand what the demo does. Paste them after `exportLines`. */
export const byHandLines = [
  signedFunction,
  '# upload a payout file',
  'aws s3 cp infra/local/example-payouts.csv "s3://$FILES_BUCKET/uploads/my-payouts.csv"',
  '# start it; the answer has the batchId',
  `signed -H 'content-type: application/json' -H 'idempotency-key: my-payouts-1' -d '{"file":"uploads/my-payouts.csv"}' "$API_URL/batches"`,
  '# follow it',
  'signed "$API_URL/batches/<batchId>"',
  'signed "$API_URL/batches/<batchId>/payouts?status=failed"',
  'aws stepfunctions get-execution-history --execution-arn "${STATE_MACHINE_ARN/stateMachine/execution}:<batchId>"',
  '# approve a batch that the console began, as the user treasurer, by the hash in its approval',
  `signed --user "$APPROVER" -H 'content-type: application/json' -d '{"hash":"<hash>","reason":"checked"}' "$API_URL/batches/<batchId>/approve"`,
  '# a link to the results',
  'signed "$API_URL/batches/<batchId>/files/results.csv"',
].join('\n');
