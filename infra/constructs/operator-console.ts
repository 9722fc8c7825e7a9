import { Duration, Fn, Stack } from 'aws-cdk-lib';
import { CustomWidget, Dashboard } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { OrchestratorSettings } from '../../functions/domain/settings.ts';
import type { BatchWorkflow } from './batch-workflow.ts';
import { NodeFunction } from './node-function.ts';
import type { OperatorApi } from './operator-api.ts';
import type { PayoutFiles } from './payout-files.ts';
import type { PayoutLedger } from './payout-ledger.ts';
import type { ProviderAccess } from './provider-access.ts';
import { settingsEnvironment } from './settings-environment.ts';

export interface OperatorConsoleProps {
  readonly api: OperatorApi;
  readonly ledger: PayoutLedger;
  readonly files: PayoutFiles;
  readonly workflow: BatchWorkflow;
  readonly provider: ProviderAccess;
  readonly settings: OrchestratorSettings;
}

/** What there is to download, proofs and what the API gives links to; and the names of payout files. */
const filesShown = ['readReports', 'readProofs', 'listUploads'] as const;

/**
 * The console: a CloudWatch dashboard of custom widgets. Whoever looks needs leave to invoke `DrawConsole`, to pause and cancel
 * from there also `SteerBatch`, and to begin batches `BeginBatch`: CloudWatch invokes each with the viewer's own rights.
 * infra/ACCESS.md has the policies.
 */
export class OperatorConsole extends Construct {
  readonly functions: ReadonlyMap<string, NodeFunction>;
  /** Where the dashboard is in the AWS console. */
  readonly url: string;

  constructor(scope: Construct, id: string, props: OperatorConsoleProps) {
    super(scope, id);
    const steer = this.#steer(props);
    const begin = this.#begin(props);
    const draw = this.#draw(props, steer, begin);
    this.functions = new Map([
      ['DrawConsole', draw],
      ['SteerBatch', steer],
      ['BeginBatch', begin],
    ]);
    const { region, stackName } = Stack.of(this);
    const dashboardName = `${stackName}-console`;
    new Dashboard(this, 'Dashboard', {
      dashboardName,
      widgets: [
        [this.#widget(draw, 'Batches of payouts', 'batches', 18)],
        [this.#widget(draw, 'Provider and funds', 'provider', 9)],
      ],
    });
    const host = Fn.join('', ['https://', region, '.console.aws.amazon.com/cloudwatch/home?region=', region]);
    this.url = Fn.join('', [host, '#dashboards/dashboard/', dashboardName]);
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

  /**
   * Reads, and signs links. What it may put into the ledger is the sum of a batch's counts, as `GetBatch` does. ZIPs of proofs it
   * leaves to `ArchiveProofs`: it may write no file.
   */
  #draw(props: OperatorConsoleProps, steer: NodeFunction, begin: NodeFunction): NodeFunction {
    const archive = endpointOf(props.api, 'ArchiveProofs');
    const draw = new NodeFunction(this, 'DrawConsole', {
      entry: 'functions/console/draw-console.ts',
      description: 'Draws the widgets of the console',
      // It waits for ArchiveProofs, which has 28.
      timeout: Duration.seconds(30),
      // A list reads twenty batches and makes a page of them: more memory is more of a processor.
      memoryMb: 1024,
      environment: {
        LEDGER_TABLE: props.ledger.table.tableName,
        ...settingsEnvironment(props.settings),
        STATE_MACHINE_ARN: props.workflow.stateMachine.stateMachineArn,
        ...props.files.environment(filesShown),
        ...props.provider.limits(),
        STEERING_FUNCTION: steer.functionArn,
        BEGINNING_FUNCTION: begin.functionArn,
        ARCHIVE_FUNCTION: archive.functionName,
        UPLOAD_PAGE: this.#uploadPage(props.files),
      },
    });
    props.ledger.allow(draw, ['read', 'readMany', 'readIndexes', 'searchPayouts', 'keepProgress']);
    props.files.allow(draw, filesShown);
    draw.allow(['lambda:InvokeFunction'], [archive.functionArn]);
    return draw;
  }

  #uploadPage({ bucket }: PayoutFiles): string {
    const { region } = Stack.of(this);
    const page = ['https://', region, '.console.aws.amazon.com/s3/upload/', bucket.bucketName, '?region=', region];
    return Fn.join('', [...page, '&prefix=uploads/']);
  }

  /** May invoke two functions of the operator API, and nothing else: it cannot approve, resume or settle, whatever it is asked. */
  #steer({ api }: OperatorConsoleProps): NodeFunction {
    const [pause, cancel] = [endpointOf(api, 'PauseBatch'), endpointOf(api, 'CancelBatch')];
    const steer = new NodeFunction(this, 'SteerBatch', {
      entry: 'functions/console/steer-batch.ts',
      description: 'Pauses and cancels batches for the console',
      timeout: Duration.seconds(30),
      environment: {
        PAUSE_FUNCTION: pause.functionName,
        CANCEL_FUNCTION: cancel.functionName,
      },
    });
    steer.allow(['lambda:InvokeFunction'], [pause.functionArn, cancel.functionArn]);
    return steer;
  }

  /** May invoke one function of the operator API, and asks it for previews and for what a person approves. */
  #begin({ api }: OperatorConsoleProps): NodeFunction {
    const start = endpointOf(api, 'StartBatch');
    const begin = new NodeFunction(this, 'BeginBatch', {
      entry: 'functions/console/begin-batch.ts',
      description: 'Begins previews, and batches that a person approves, for the console',
      timeout: Duration.seconds(30),
      environment: { START_FUNCTION: start.functionName },
    });
    begin.allow(['lambda:InvokeFunction'], [start.functionArn]);
    return begin;
  }
}

const endpointOf = ({ functions }: OperatorApi, name: string): NodeFunction => {
  const found = functions.get(name);
  if (found === undefined) throw new Error(`The operator API has no ${name}`);
  return found;
};
