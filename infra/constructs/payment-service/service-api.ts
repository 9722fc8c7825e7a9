import type { IResource, RestApi } from 'aws-cdk-lib/aws-apigateway';
import { ResponseType } from 'aws-cdk-lib/aws-apigateway';
import { Construct } from 'constructs';
import { acknowledge } from '../acknowledge.ts';
import type { NodeFunction } from '../node-function.ts';
import type { RestApiOptions } from '../rest-api.ts';
import { apiUrl, openMethod, restApi } from '../rest-api.ts';

/** Which function answers which paths. */
export interface ServedBy {
  /** Also answers every path that no other function serves. */
  readonly balanceAndConvert: NodeFunction;
  readonly disbursements: NodeFunction;
  readonly deposits: NodeFunction;
  readonly transferProofs: NodeFunction;
  /** The hosted page for customers. */
  readonly checkoutPage: NodeFunction;
  /** Only in a sandbox. */
  readonly sandboxControls: NodeFunction | undefined;
}

export type ServiceApiProps = Pick<RestApiOptions, 'requestsPerSecond' | 'setsLogRole'>;

/** Errors that API Gateway itself answers, in the service's envelope. */
const gatewayErrors = [
  ['Throttled', ResponseType.THROTTLED, 429, 'Too Many Requests', 'Too many requests'],
  ['TooLarge', ResponseType.REQUEST_TOO_LARGE, 400, 'Bad Request', 'the body is too large'],
  ['NoRoute', ResponseType.MISSING_AUTHENTICATION_TOKEN, 404, 'Not Found', 'No such endpoint'],
  ['Wrong', ResponseType.DEFAULT_4XX, 400, 'Bad Request', 'The request cannot be read'],
  ['Failed', ResponseType.DEFAULT_5XX, 500, 'Internal Server Error', 'Internal server error'],
] as const;

const merchants =
  'Callers are merchants, not IAM principals. The function checks signatures and API keys; references and the OpenAPI document are public.';
const customers = 'Customers have only the address of their checkout. Its 128 random bits are their credential.';

const stageName = 'service';

/**
 * The public REST API. It lets every request through, because the functions check credentials themselves. It is created
 * before its functions, because one of them needs its address.
 */
export class ServiceApi extends Construct {
  readonly api: RestApi;

  constructor(scope: Construct, id: string, props: ServiceApiProps) {
    super(scope, id);
    this.api = restApi(this, {
      ...props,
      description: 'The payment service',
      stageName,
      withoutFirewall:
        'Requests are authenticated, except for the references, the OpenAPI document and checkout pages, which need 128 random bits. The stage is throttled. The account’s owner can add a firewall.',
    });
    for (const [id, type, statusCode, error, message] of gatewayErrors) {
      this.api.addGatewayResponse(id, {
        type,
        statusCode: statusCode.toString(),
        templates: { 'application/json': JSON.stringify({ statusCode, error, message }) },
      });
    }
    acknowledge(
      this.api,
      'AwsSolutions-APIG2',
      'The functions check every request by schema and answer in the service’s own envelope, which a gateway validator cannot do.',
    );
  }

  /** The base address of all paths, without a trailing slash. */
  get url(): string {
    return apiUrl(this.api, stageName);
  }

  serve({ balanceAndConvert, disbursements, deposits, transferProofs, checkoutPage, sandboxControls }: ServedBy): void {
    const { root } = this.api;
    const disbursement = root.resourceForPath('/v1/disbursement');
    const fiat = disbursement.addResource('fiat');
    const one = fiat.addResource('{disbursementId}');
    const deposit = root.resourceForPath('/v1/deposit');
    this.#serve(balanceAndConvert, [root, root.addResource('{proxy+}')]);
    this.#serve(disbursements, [
      fiat,
      one,
      disbursement.addResource('{proxy+}'),
      root.resourceForPath('/v2/disbursement').addResource('{proxy+}'),
    ]);
    this.#serve(deposits, [deposit, deposit.addResource('{proxy+}'), root.resourceForPath('/v1/checkout')]);
    this.#serve(transferProofs, [one.addResource('report')]);
    this.#serve(checkoutPage, [root.addResource('checkout').addResource('{proxy+}')], customers);
    if (sandboxControls !== undefined) {
      const sandbox = root.addResource('sandbox');
      this.#serve(sandboxControls, [sandbox, sandbox.addResource('{proxy+}')]);
    }
  }

  #serve(by: NodeFunction, resources: readonly IResource[], reason = merchants): void {
    for (const resource of resources) openMethod(resource, 'ANY', by, reason);
  }
}
