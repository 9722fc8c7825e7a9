import { Duration, Stack } from 'aws-cdk-lib';
import { CustomWidget, Dashboard } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { consoleFunctions } from '../../function-table/console-functions.ts';
import type { OperatorEndpoint } from '../../function-table/operator-endpoints.ts';
import { NodeFunction } from '../node-function.ts';
import type { BatchWorkflow } from './batch-workflow.ts';
import type { OperatorApi } from './operator-api.ts';
import type { OrchestratorParts } from './orchestrator-function.ts';
import { orchestratorFunction } from './orchestrator-function.ts';
import type { PayoutFiles } from './payout-files.ts';

export interface OperatorConsoleProps extends OrchestratorParts {
  readonly api: OperatorApi;
  readonly workflow: BatchWorkflow;
}

/**
 * The console: a CloudWatch dashboard of custom widgets. CloudWatch invokes their functions with the viewer's own rights. So a
 * viewer needs the right to invoke `DrawConsole`, for pausing and canceling also `SteerBatch`, and for beginning batches
 * `BeginBatch`. The policies are in infra/ACCESS.md.
 */
export class OperatorConsole extends Construct {
  readonly functions: readonly NodeFunction[];
  /** The dashboard's address in the AWS console. */
  readonly url: string;

  constructor(scope: Construct, id: string, props: OperatorConsoleProps) {
    super(scope, id);
    const steer = this.#forwarder('SteerBatch', props.api);
    const begin = this.#forwarder('BeginBatch', props.api);
    const draw = this.#draw(props, { STEERING_FUNCTION: steer.functionArn, BEGINNING_FUNCTION: begin.functionArn });
    this.functions = [draw, steer, begin];
    const { region, stackName } = Stack.of(this);
    const dashboardName = `${stackName}-console`;
    new Dashboard(this, 'Dashboard', {
      dashboardName,
      widgets: [
        [this.#widget(draw, 'Batches of payouts', 'batches', 18)],
        [this.#widget(draw, 'Provider and funds', 'provider', 9)],
      ],
    });
    this.url = `https://${region}.console.aws.amazon.com/cloudwatch/home?region=${region}#dashboards/dashboard/${dashboardName}`;
  }

  #widget(draw: NodeFunction, title: string, view: string, height: number): CustomWidget {
    return new CustomWidget({
      title,
      functionArn: draw.functionArn,
      params: { view },
      width: 24,
      height,
      // A view has no time range.
      updateOnTimeRangeChange: false,
    });
  }

  #draw({ api, ...parts }: OperatorConsoleProps, buttons: Readonly<Record<string, string>>): NodeFunction {
    const row = consoleFunctions.DrawConsole;
    const draw = orchestratorFunction(this, 'DrawConsole', row, parts, {
      environment: { UPLOAD_PAGE: this.#uploadPage(parts.files), ...buttons },
    });
    allowInvoking(draw, row.invokes, api);
    return draw;
  }

  #uploadPage({ bucket }: PayoutFiles): string {
    const { region } = Stack.of(this);
    return `https://${region}.console.aws.amazon.com/s3/upload/${bucket.bucketName}?region=${region}&prefix=uploads/`;
  }

  /** A function that only invokes functions of the operator API. */
  #forwarder(name: 'SteerBatch' | 'BeginBatch', api: OperatorApi): NodeFunction {
    const { entry, description, timeoutSeconds, invokes } = consoleFunctions[name];
    const forwarder = new NodeFunction(this, name, { entry, description, timeout: Duration.seconds(timeoutSeconds) });
    allowInvoking(forwarder, invokes, api);
    return forwarder;
  }
}

const allowInvoking = (
  caller: NodeFunction,
  invokes: Readonly<Record<string, OperatorEndpoint>>,
  api: OperatorApi,
): void => {
  const invoked = Object.entries(invokes).map(([variable, name]) => [variable, api.functionOf(name)] as const);
  for (const [variable, { functionName }] of invoked) caller.addEnvironment(variable, functionName);
  caller.allow(
    ['lambda:InvokeFunction'],
    invoked.map(([, { functionArn }]) => functionArn),
  );
};
