import { localStage } from './deploy.ts';
import type { DeployedAws } from './deployed-aws.ts';
import { environmentFor } from './emulator.ts';
import { paymentServiceAccess } from './payment-service-access.ts';

/** The shell lines that make the AWS CLI and curl of a terminal talk to the local AWS, and to the payment service on it. */
export const exportLines = async (deployed: DeployedAws): Promise<string> => {
  const { aws, outputs, approvers } = deployed;
  const lines = Object.entries({
    ...environmentFor(aws),
    STAGE: localStage,
    API_URL: outputs.PayoutOrchestrator.ApiUrl,
    FILES_BUCKET: outputs.PayoutOrchestrator.FilesBucket,
    STATE_MACHINE_ARN: outputs.PayoutOrchestrator.StateMachineArn,
    REAPPLY_WEBHOOKS_FUNCTION: outputs.PayoutOrchestrator.ReapplyWebhooksFunction,
    APPROVER: `${approvers[0].accessKeyId}:${approvers[0].secretAccessKey}`,
    ...(await paymentServiceAccess(deployed)),
  }).map(([name, value]) => `export ${name}=${value}`);
  return lines.join('\n');
};

/** How to do by hand what the demo does: a terminal's lines, to be pasted after `exportLines`. */
export const byHandLines = (): string => {
  const signedBy = (keys: string): string =>
    `curl --silent --cacert "$AWS_CA_BUNDLE" --aws-sigv4 "aws:amz:$AWS_REGION:execute-api" --user "${keys}"`;
  const signed = signedBy('$AWS_ACCESS_KEY_ID:$AWS_SECRET_ACCESS_KEY');
  return [
    '# upload a payout file',
    `aws s3 cp infra/local/example-payouts.csv "s3://$FILES_BUCKET/uploads/my-payouts.csv"`,
    '# start it; the answer has the batchId',
    `${signed} -H 'content-type: application/json' -H 'idempotency-key: my-payouts-1' -d '{"file":"uploads/my-payouts.csv"}' "$API_URL/batches"`,
    '# follow it',
    `${signed} "$API_URL/batches/<batchId>"`,
    `${signed} "$API_URL/batches/<batchId>/payouts?status=failed"`,
    'aws stepfunctions get-execution-history --execution-arn "${STATE_MACHINE_ARN/stateMachine/execution}:<batchId>"',
    '# approve what the console began: by the user treasurer, for the hash of its approval',
    `${signedBy('$APPROVER')} -H 'content-type: application/json' -d '{"hash":"<hash>","reason":"checked"}' "$API_URL/batches/<batchId>/approve"`,
    '# a link to the results',
    `${signed} "$API_URL/batches/<batchId>/files/results.csv"`,
  ].join('\n');
};
