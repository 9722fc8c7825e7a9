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
import { logLifetime, removalPolicy } from './lasting.ts';
import type { NodeFunction } from './node-function.ts';
import type { PayoutFiles } from './payout-files.ts';
import type { PayoutLedger } from './payout-ledger.ts';

export interface ProviderNetworkProps {
  /** Addresses that the provider sees: each is a NAT gateway's, in a zone of its own. At least 1. */
  readonly addresses: number;
  /** The port that the provider is asked at. */
  readonly port: number;
  readonly ledger: PayoutLedger;
  readonly files: PayoutFiles;
}

const https = 443;

/** What Lambda does with a function's role to connect it to subnets, on any resource, as its documentation asks for. */
const connecting = [
  'ec2:AssignPrivateIpAddresses',
  'ec2:CreateNetworkInterface',
  'ec2:DeleteNetworkInterface',
  'ec2:DescribeNetworkInterfaces',
  'ec2:DescribeSubnets',
  'ec2:UnassignPrivateIpAddresses',
];

/**
 * Private subnets whose functions are seen from outside by addresses that stay, for a provider that lists its callers. Nothing
 * comes in. What goes to the ledger and the files leaves by endpoints that lead to this table and this bucket alone.
 */
export class ProviderNetwork extends Construct {
  /** As the provider lists them. */
  readonly addresses: readonly string[];
  readonly #vpc: Vpc;
  readonly #group: CfnSecurityGroup;

  constructor(scope: Construct, id: string, props: ProviderNetworkProps) {
    super(scope, id);
    const { stackName, availabilityZones } = Stack.of(this);
    const places = Array.from({ length: props.addresses }, (_, index) => {
      const place = new CfnEIP(this, `Address${index + 1}`, { domain: 'vpc' });
      // The provider's list outlives a stack that is deployed anew: so may what is on it.
      place.applyRemovalPolicy(removalPolicy(this));
      return place;
    });
    this.addresses = places.map(({ ref }) => ref);
    this.#vpc = new Vpc(this, 'Vpc', {
      // Lambda connects a few interfaces, however many functions run at once: 59 addresses a zone are plenty.
      ipAddresses: IpAddresses.cidr('10.0.0.0/24'),
      availabilityZones: availabilityZones.slice(0, props.addresses),
      subnetConfiguration: [
        { name: 'Functions', subnetType: SubnetType.PRIVATE_WITH_EGRESS, cidrMask: 26 },
        { name: 'Gateways', subnetType: SubnetType.PUBLIC, cidrMask: 28, mapPublicIpOnLaunch: false },
      ],
      natGatewayProvider: NatProvider.gateway({
        eipAllocationIds: places.map(({ attrAllocationId }) => attrAllocationId),
      }),
      // Closing it takes a function of the CDK's own, with rights over all groups of the account. Nothing is in it.
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
    this.#leadToOwnData(props);
    this.#vpc.addFlowLog('Refused', {
      trafficType: FlowLogTrafficType.REJECT,
      destination: FlowLogDestination.toCloudWatchLogs(new LogGroup(this, 'RefusedTraffic', logLifetime(this))),
    });
  }

  /** Connects a function, so that whatever it asks of others comes from the addresses. */
  place(user: NodeFunction): void {
    user.allow(connecting, ['*']);
    // Lambda needs them, and the function's own code does not: its requests alone carry this key.
    user.deny(connecting, ['*'], { Null: { 'lambda:SourceFunctionArn': 'false' } });
    const { subnetIds, internetConnectivityEstablished } = this.#vpc.selectSubnets({
      subnetType: SubnetType.PRIVATE_WITH_EGRESS,
    });
    user.connect(subnetIds, this.#group.attrGroupId);
    // Until then it would reach nothing.
    user.node.addDependency(internetConnectivityEstablished);
  }

  /** Gateway endpoints cost nothing, and spare the NAT gateways what goes to the ledger and the files. */
  #leadToOwnData({ ledger: { table }, files: { bucket } }: ProviderNetworkProps): void {
    const lead = (id: string, service: GatewayVpcEndpointAwsService, action: string, resources: string[]): void =>
      this.#vpc
        .addGatewayEndpoint(id, { service })
        .addToPolicy(
          new PolicyStatement({ effect: Effect.ALLOW, principals: [new AnyPrincipal()], actions: [action], resources }),
        );
    lead('Ledger', GatewayVpcEndpointAwsService.DYNAMODB, 'dynamodb:*', [table.tableArn, `${table.tableArn}/index/*`]);
    lead('Files', GatewayVpcEndpointAwsService.S3, 's3:*', [bucket.bucketArn, bucket.arnForObjects('*')]);
  }
}
