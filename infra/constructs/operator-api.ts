import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import {
  AccessLogField,
  AccessLogFormat,
  AuthorizationType,
  EndpointType,
  LambdaIntegration,
  LogGroupLogDestination,
  MethodLoggingLevel,
  ResponseType,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { ProblemCode } from '../../functions/api/schemas/problem.ts';
import { problems, problemType, retryAfterSeconds } from '../../functions/api/schemas/problem.ts';
import type { OrchestratorSettings } from '../../functions/domain/settings.ts';
import { acknowledge, acknowledgeWildcard } from './acknowledge.ts';
import { apiUrl } from './api-url.ts';
import type { BatchWorkflow } from './batch-workflow.ts';
import { NodeFunction } from './node-function.ts';
import type { FilesAccess, PayoutFiles } from './payout-files.ts';
import type { LedgerAccess, PayoutLedger } from './payout-ledger.ts';
import type { ProviderAccess, ProviderCredential } from './provider-access.ts';
import { settingsEnvironment } from './settings-environment.ts';

interface Endpoint {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly entry: string;
  readonly description: string;
  readonly ledger: readonly LedgerAccess[];
  readonly files?: readonly FilesAccess[];
  /** Whether it says where to watch the workflow, or also starts it. */
  readonly workflow?: 'points' | 'starts';
  /** Of an endpoint that asks the provider: which credentials it may read. None of them moves money. */
  readonly provider?: readonly ProviderCredential[];
  /** Whether it says how the provider's rate limit stands, without asking the provider. */
  readonly tellsPace?: true;
}

/**
 * What API Gateway answers in a function's stead: it throttles, and a function that cannot be run, or takes longer than it
 * waits, is an outage to the caller. Every endpoint may be asked again.
 */
const gatewayProblems = [
  ['Throttled', ResponseType.THROTTLED, 'too_many_requests'],
  ['OverQuota', ResponseType.QUOTA_EXCEEDED, 'too_many_requests'],
  ['Failed', ResponseType.DEFAULT_5XX, 'unavailable'],
] as const satisfies readonly (readonly [string, ResponseType, ProblemCode])[];

const change: readonly LedgerAccess[] = ['read', 'write'];

/** One function an endpoint, so that each may do what its endpoint does and no more. */
const endpoints = {
  StartBatch: {
    method: 'POST',
    path: '/batches',
    entry: 'functions/api/start-batch.ts',
    description: 'POST /batches: starts a batch from an uploaded payout file',
    ledger: change,
    files: ['findUploads', 'readUploads'],
    workflow: 'starts',
  },
  ListBatches: {
    method: 'GET',
    path: '/batches',
    entry: 'functions/api/list-batches.ts',
    description: 'GET /batches: batches, newest first',
    ledger: ['readIndexes'],
    workflow: 'points',
  },
  GetBatch: {
    method: 'GET',
    path: '/batches/{batchId}',
    entry: 'functions/api/get-batch.ts',
    description: 'GET /batches/{batchId}: how a batch stands',
    ledger: ['read', 'keepProgress'],
    workflow: 'points',
  },
  ListPayouts: {
    method: 'GET',
    path: '/batches/{batchId}/payouts',
    entry: 'functions/api/list-payouts.ts',
    description: 'GET /batches/{batchId}/payouts: payouts of a batch',
    ledger: ['read'],
  },
  ListEvents: {
    method: 'GET',
    path: '/batches/{batchId}/events',
    entry: 'functions/api/list-events.ts',
    description: 'GET /batches/{batchId}/events: what was told of a batch, in order',
    ledger: ['read'],
  },
  GetFileLink: {
    method: 'GET',
    path: '/batches/{batchId}/files/{name}',
    entry: 'functions/api/get-file-link.ts',
    description: 'GET /batches/{batchId}/files/{name}: a short-lived link to a report',
    ledger: ['read'],
    files: ['readReports'],
  },
  ArchiveProofs: {
    method: 'POST',
    path: '/batches/{batchId}/proofs',
    entry: 'functions/api/archive-proofs.ts',
    description: 'POST /batches/{batchId}/proofs: a ZIP of transfer proofs',
    ledger: ['read'],
    files: ['readProofs', 'writeArchives'],
  },
  PauseBatch: {
    method: 'POST',
    path: '/batches/{batchId}/pause',
    entry: 'functions/api/pause-batch.ts',
    description: 'POST /batches/{batchId}/pause: no further payout is submitted',
    ledger: change,
    workflow: 'points',
  },
  ResumeBatch: {
    method: 'POST',
    path: '/batches/{batchId}/resume',
    entry: 'functions/api/resume-batch.ts',
    description: 'POST /batches/{batchId}/resume: a paused or stuck batch goes on',
    ledger: change,
    workflow: 'starts',
  },
  CancelBatch: {
    method: 'POST',
    path: '/batches/{batchId}/cancel',
    entry: 'functions/api/cancel-batch.ts',
    description: 'POST /batches/{batchId}/cancel: payouts not yet submitted never will be',
    ledger: change,
    workflow: 'starts',
  },
  ApproveBatch: {
    method: 'POST',
    path: '/batches/{batchId}/approve',
    entry: 'functions/api/approve-batch.ts',
    description: 'POST /batches/{batchId}/approve: another person lets money move',
    ledger: change,
    workflow: 'starts',
  },
  RejectBatch: {
    method: 'POST',
    path: '/batches/{batchId}/reject',
    entry: 'functions/api/reject-batch.ts',
    description: 'POST /batches/{batchId}/reject: another person ends a batch before money moves',
    ledger: [...change, 'delete'],
    workflow: 'points',
  },
  GetPayout: {
    method: 'GET',
    path: '/payouts/{reference}',
    entry: 'functions/api/get-payout.ts',
    description: 'GET /payouts/{reference}: one payout',
    ledger: ['read'],
  },
  GetProofLink: {
    method: 'GET',
    path: '/payouts/{reference}/proof',
    entry: 'functions/api/get-proof-link.ts',
    description: 'GET /payouts/{reference}/proof: a short-lived link to a transfer proof',
    ledger: ['read'],
    files: ['readProofs'],
  },
  TellRecipient: {
    method: 'POST',
    path: '/payouts/{reference}/recipient',
    entry: 'functions/api/tell-recipient.ts',
    description: 'POST /payouts/{reference}/recipient: who a payout is to',
    ledger: ['read'],
    files: ['readPlans'],
  },
  SearchPayouts: {
    method: 'POST',
    path: '/search/payouts',
    entry: 'functions/api/search-payouts.ts',
    description: 'POST /search/payouts: what a recipient was paid, over all batches',
    ledger: ['readMany', 'findDestinations'],
  },
  SettlePayout: {
    method: 'POST',
    path: '/payouts/{reference}/settle',
    entry: 'functions/api/settle-payout.ts',
    description: 'POST /payouts/{reference}/settle: a payout that nothing else settles',
    ledger: change,
    // The address that a wallet transfer is searched by: the ledger has only its hash.
    files: ['readPlans'],
    provider: ['signing'],
  },
  SettleConversion: {
    method: 'POST',
    path: '/batches/{batchId}/conversions/{number}/settle',
    entry: 'functions/api/settle-conversion.ts',
    description: 'POST /batches/{batchId}/conversions/{number}/settle: a conversion whose outcome is not known',
    ledger: [...change, 'delete'],
  },
  GetFunds: {
    method: 'GET',
    path: '/funds',
    entry: 'functions/api/get-funds.ts',
    description: 'GET /funds: money set aside, locked pairs of currencies, the provider’s rate limit',
    ledger: ['read'],
    tellsPace: true,
  },
  GetTemplateCsv: {
    method: 'GET',
    path: '/template.csv',
    entry: 'functions/api/template/get-template-csv.ts',
    description: 'GET /template.csv: a CSV to fill in',
    ledger: [],
  },
  GetTemplateWorkbook: {
    method: 'GET',
    path: '/template.xlsx',
    entry: 'functions/api/template/get-template-workbook.ts',
    description: 'GET /template.xlsx: an Excel workbook to fill in',
    ledger: [],
  },
} as const satisfies Readonly<Record<string, Endpoint>>;

/** Where webhooks come in: not an endpoint of operators, but behind the same gateway with a throttle of its own. */
export const webhookPath = '/webhooks/{token}';

const methodOptions = (requestsPerSecond: number) => ({
  loggingLevel: MethodLoggingLevel.ERROR,
  // Bodies and headers are never logged: they carry names and credentials.
  dataTraceEnabled: false,
  metricsEnabled: true,
  throttlingRateLimit: requestsPerSecond,
  throttlingBurstLimit: requestsPerSecond * 2,
});

export interface OperatorApiProps {
  readonly ledger: PayoutLedger;
  readonly files: PayoutFiles;
  readonly workflow: BatchWorkflow;
  readonly provider: ProviderAccess;
  readonly settings: OrchestratorSettings;
  readonly requestsPerSecond: number;
  readonly webhooksPerSecond: number;
  readonly lasting: boolean;
}

/** The REST API operators start and follow batches with. Callers are IAM principals; requests are signed (SigV4). */
export class OperatorApi extends Construct {
  readonly api: RestApi;
  readonly functions: ReadonlyMap<string, NodeFunction>;

  constructor(scope: Construct, id: string, props: OperatorApiProps) {
    super(scope, id);
    this.api = this.#api(props);
    const validator = this.api.addRequestValidator('Validator', {
      validateRequestParameters: true,
      validateRequestBody: true,
    });
    this.functions = new Map(
      Object.entries<Endpoint>(endpoints).map(([name, endpoint]) => {
        const made = this.#endpoint(name, endpoint, props);
        const resource = this.api.root.resourceForPath(endpoint.path);
        const method = resource.addMethod(endpoint.method, new LambdaIntegration(made, { allowTestInvoke: false }), {
          authorizationType: AuthorizationType.IAM,
          requestValidator: validator,
        });
        acknowledge(
          method,
          'AwsSolutions-COG4',
          'Operators are IAM principals: requests are signed, there are no user pools.',
        );
        return [name, made];
      }),
    );
  }

  get url(): string {
    return apiUrl(this.api);
  }

  #endpoint(name: string, endpoint: Endpoint, props: OperatorApiProps): NodeFunction {
    const made = new NodeFunction(this, name, {
      entry: endpoint.entry,
      description: endpoint.description,
      // API Gateway gives up at 29 seconds; an answer after that reaches nobody.
      timeout: Duration.seconds(28),
      environment: {
        ...(endpoint.ledger.length === 0 ? {} : { LEDGER_TABLE: props.ledger.table.tableName }),
        ...settingsEnvironment(props.settings),
        ...(endpoint.workflow === undefined ? {} : { STATE_MACHINE_ARN: props.workflow.stateMachine.stateMachineArn }),
        ...(endpoint.files === undefined ? {} : props.files.environment(endpoint.files)),
        ...(endpoint.tellsPace ? props.provider.limits() : {}),
        ...(endpoint.provider === undefined ? {} : props.provider.environment(endpoint.provider)),
      },
    });
    props.ledger.allow(made, endpoint.ledger);
    if (endpoint.provider !== undefined) props.provider.allow(made, endpoint.provider);
    if (endpoint.files !== undefined) props.files.allow(made, endpoint.files);
    if (endpoint.workflow === 'starts') {
      made.allow(['states:StartExecution'], [props.workflow.stateMachine.stateMachineArn]);
      // Whether an execution of that name still runs.
      made.allow(['states:DescribeExecution'], [props.workflow.executionsArn]);
      acknowledgeWildcard(
        made.role ?? made,
        props.workflow.executionsArn,
        'Executions of batches yet to come have no name yet.',
      );
    }
    return made;
  }

  #api(props: OperatorApiProps): RestApi {
    const logs = new LogGroup(this, 'AccessLogs', {
      retention: props.lasting ? RetentionDays.ONE_YEAR : RetentionDays.ONE_WEEK,
      removalPolicy: props.lasting ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    const api = new RestApi(this, 'Api', {
      restApiName: 'payout-operator',
      description: 'Starts and follows batches of payouts',
      endpointTypes: [EndpointType.REGIONAL],
      cloudWatchRole: true,
      // Of a workbook: with its type alone, a caller who does not name it in Accept gets it as base64 text.
      binaryMediaTypes: ['*/*'],
      deployOptions: {
        stageName: 'v1',
        // A trace of the gateway holds the whole address, and a webhook's ends in its token. The functions have traces of their own.
        tracingEnabled: false,
        ...methodOptions(props.requestsPerSecond),
        // What is set for one method replaces all that is set for the stage, so it is said whole.
        methodOptions: { [`${webhookPath}/POST`]: methodOptions(props.webhooksPerSecond) },
        accessLogDestination: new LogGroupLogDestination(logs),
        accessLogFormat: AccessLogFormat.custom(
          JSON.stringify({
            requestId: AccessLogField.contextRequestId(),
            time: AccessLogField.contextRequestTime(),
            caller: AccessLogField.contextIdentityUserArn(),
            method: AccessLogField.contextHttpMethod(),
            // The resource's template, not the path: a webhook's path ends in its token.
            resource: AccessLogField.contextResourcePath(),
            status: AccessLogField.contextStatus(),
            latencyMs: AccessLogField.contextResponseLatency(),
          }),
        ),
      },
    });
    for (const [id, type, code] of gatewayProblems) {
      const { status, title } = problems[code];
      const problem = { type: problemType(code), title, status, requestId: '$context.requestId' };
      api.addGatewayResponse(id, {
        type,
        statusCode: String(status),
        responseHeaders: {
          'Content-Type': "'application/problem+json'",
          'Cache-Control': "'no-store'",
          'Retry-After': `'${retryAfterSeconds[code]}'`,
        },
        templates: { 'application/json': JSON.stringify(problem) },
      });
    }
    acknowledge(
      api,
      'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
      'API Gateway writes its logs by the managed policy made for that, once an account.',
    );
    acknowledge(
      api.deploymentStage,
      'AwsSolutions-APIG3',
      'Every method but the webhook takes IAM callers only, and the stage is throttled; a firewall is the account owner’s to add.',
    );
    return api;
  }
}
