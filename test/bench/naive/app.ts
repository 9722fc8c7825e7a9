import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { App, CfnOutput, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AttributeType, Billing, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { DefinitionBody, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import * as z from 'zod';
import { orchestratorSettings } from '../../../functions/domain/settings.ts';
import { documentedTraits } from '../../../functions/provider/settings.ts';
import { NodeFunction } from '../../../infra/constructs/node-function.ts';
import { settingsEnvironment } from '../../../infra/constructs/orchestrator/orchestrator-function.ts';
import { ProviderAccess } from '../../../infra/constructs/orchestrator/provider-access.ts';
import { projectRoot } from '../../../infra/local/paths.ts';

/** The obvious design as a stack, made of the orchestrator's own parts when both need the same. For measuring only. */
const app = new App();
const context = (key: string): string => z.string().parse(app.node.tryGetContext(key));
const stack = new Stack(app, 'PayoutByPayout');
const table = new TableV2(stack, 'Payouts', {
  partitionKey: { name: 'reference', type: AttributeType.STRING },
  billing: Billing.onDemand(),
  removalPolicy: RemovalPolicy.DESTROY,
});
const proofs = new Bucket(stack, 'Proofs', { removalPolicy: RemovalPolicy.DESTROY });
const provider = new ProviderAccess(stack, 'Provider', {
  account: 'sandbox',
  baseUrl: context('providerUrl'),
  signingSecretName: `${context('providerSecret')}/signing`,
  authorizationSecretName: `${context('providerSecret')}/authorization`,
  signing: 'hmac-sha256',
  traits: documentedTraits(),
  postsPerSecond: 0,
  readsPerSecond: 0,
});

const step = (name: string, handler: URL): NodeFunction => {
  const made = new NodeFunction(stack, name, {
    entry: path.relative(projectRoot, fileURLToPath(handler)),
    timeout: Duration.seconds(90),
    environment: {
      ...settingsEnvironment(orchestratorSettings().parse({})),
      ...provider.environment(['signing', 'authorization']),
      // The provider's client needs a table for its rate limit, but writes nothing without a limit.
      LEDGER_TABLE: table.tableName,
      NAIVE_TABLE: table.tableName,
      NAIVE_BUCKET: proofs.bucketName,
    },
  });
  made.allow(['dynamodb:PutItem', 'dynamodb:UpdateItem'], [table.tableArn]);
  made.allow(['s3:PutObject'], [proofs.arnForObjects('proofs/*')]);
  provider.allow(made, ['signing', 'authorization']);
  return made;
};

const functions = {
  MakePayoutFunction: step('MakePayout', new URL('./functions/make-payout.ts', import.meta.url)),
  PollPayoutFunction: step('PollPayout', new URL('./functions/poll-payout.ts', import.meta.url)),
  ArchiveProofFunction: step('ArchiveProof', new URL('./functions/archive-proof.ts', import.meta.url)),
};
const stateMachine = new StateMachine(stack, 'StateMachine', {
  definitionBody: DefinitionBody.fromString(
    readFileSync(new URL('./payout-by-payout.asl.json', import.meta.url), 'utf8'),
  ),
  definitionSubstitutions: Object.fromEntries(
    Object.entries(functions).map(([name, { functionArn }]) => [name, functionArn]),
  ),
});
for (const made of Object.values(functions)) made.grantInvoke(stateMachine);

new CfnOutput(stack, 'StateMachineArn', { value: stateMachine.stateMachineArn });
new CfnOutput(stack, 'Table', { value: table.tableName });
new CfnOutput(stack, 'Bucket', { value: proofs.bucketName });
