import { Stack } from 'aws-cdk-lib';
import {
  CfnEIP,
  CfnSecurityGroup,
  FlowLogDestination,
  FlowLogTrafficType,
  GatewayVpcEndpointAwsService,
  IpAddresses,
  NatProvider,
  SubnetType,
  Vpc,
} from 'aws-cdk-lib/aws-ec2';
import { AnyPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { mostStaticAddresses } from '../../settings.ts';
import { logLifetime, removalPolicy } from '../lasting.ts';
import type { NodeFunction } from '../node-function.ts';
import type { PayoutFiles } from './payout-files.ts';
import type { PayoutLedger } from './payout-ledger.ts';

export interface ProviderNetworkProps {
  /** Number of addresses, at least 1. Each belongs to a NAT gateway in a separate zone. */
  readonly addresses: number;
  /** The provider's port. */
  readonly port: number;
  readonly ledger: PayoutLedger;
  readonly files: PayoutFiles;
}

const https = 443;

/** What Lambda does with a function's role to connect it to subnets. Its documentation requires any resource. */
const connecting = [
  'ec2:AssignPrivateIpAddresses',
  'ec2:CreateNetworkInterface',
  'ec2:DeleteNetworkInterface',
  'ec2:DescribeNetworkInterfaces',
  'ec2:DescribeSubnets',
  'ec2:UnassignPrivateIpAddresses',
];

/**
 * Private subnets whose functions have fixed public addresses, for a provider that lists its callers. Nothing can come in.
 * Requests to ledger and files use endpoints that reach only this table and this bucket.
 */
export class ProviderNetwork extends Construct {
  /** The provider has to list these. */
  readonly addresses: readonly string[];
  readonly #vpc: Vpc;
  readonly #group: CfnSecurityGroup;

  constructor(scope: Construct, id: string, props: ProviderNetworkProps) {
    super(scope, id);
    const { stackName, availabilityZones } = Stack.of(this);
    const elasticIps = Array.from({ length: props.addresses }, (_, index) => {
      const elasticIp = new CfnEIP(this, `Address${index + 1}`, { domain: 'vpc' });
      // The provider lists the address for longer than the stack lives.
      elasticIp.applyRemovalPolicy(removalPolicy(this));
      return elasticIp;
    });
    this.addresses = elasticIps.map(({ ref }) => ref);
    this.#vpc = new Vpc(this, 'Vpc', {
      // Lambda needs only a few interfaces, however many functions run. 59 addresses a zone are plenty.
      ipAddresses: IpAddresses.cidr('10.0.0.0/24'),
      availabilityZones: availabilityZones.slice(0, props.addresses),
      // Otherwise another number of addresses would move the subnets, and CloudFormation makes the new ones before it deletes the old.
      reservedAzs: mostStaticAddresses - props.addresses,
      subnetConfiguration: [
        { name: 'Functions', subnetType: SubnetType.PRIVATE_WITH_EGRESS, cidrMask: 26 },
        { name: 'Gateways', subnetType: SubnetType.PUBLIC, cidrMask: 28, mapPublicIpOnLaunch: false },
      ],
      natGatewayProvider: NatProvider.gateway({
        eipAllocationIds: elasticIps.map(({ attrAllocationId }) => attrAllocationId),
      }),
      // Closing it would take a function of the CDK with rights on all groups of the account, and nothing uses it.
      restrictDefaultSecurityGroup: false,
    });
    this.#group = new CfnSecurityGroup(this, 'Functions', {
      vpcId: this.#vpc.vpcId,
      groupDescription: `Functions of ${stackName} that ask the provider`,
      securityGroupEgress: [...new Set([https, props.port])].map((port) => ({
        description: 'The provider, and AWS',
        ipProtocol: 'tcp',
        cidrIp: '0.0.0.0/0',
        fromPort: port,
        toPort: port,
      })),
    });
    this.#addOwnEndpoints(props);
    this.#vpc.addFlowLog('Refused', {
      trafficType: FlowLogTrafficType.REJECT,
      destination: FlowLogDestination.toCloudWatchLogs(new LogGroup(this, 'RefusedTraffic', logLifetime(this))),
    });
  }

  /** Connects a function, so that all its requests come from the fixed addresses. */
  connect(user: NodeFunction): void {
    user.allow(connecting, ['*']);
    // Lambda needs these rights, the function's code does not. Only requests of its code carry this key.
    user.deny(connecting, ['*'], { Null: { 'lambda:SourceFunctionArn': 'false' } });
    const { subnetIds, internetConnectivityEstablished } = this.#vpc.selectSubnets({
      subnetType: SubnetType.PRIVATE_WITH_EGRESS,
    });
    user.connect(subnetIds, this.#group.attrGroupId);
    // Without a way out its requests would fail.
    user.node.addDependency(internetConnectivityEstablished);
  }

  /** Gateway endpoints are free, and keep traffic to ledger and files away from the NAT gateways. */
  #addOwnEndpoints({ ledger: { table }, files: { bucket } }: ProviderNetworkProps): void {
    const add = (id: string, service: GatewayVpcEndpointAwsService, action: string, resources: string[]): void =>
      this.#vpc
        .addGatewayEndpoint(id, { service })
        .addToPolicy(
          new PolicyStatement({ effect: Effect.ALLOW, principals: [new AnyPrincipal()], actions: [action], resources }),
        );
    add('Ledger', GatewayVpcEndpointAwsService.DYNAMODB, 'dynamodb:*', [table.tableArn, `${table.tableArn}/index/*`]);
    add('Files', GatewayVpcEndpointAwsService.S3, 's3:*', [bucket.bucketArn, bucket.arnForObjects('*')]);
  }
}
