import { describe, expect, it } from 'vitest';
import { mostStaticAddresses } from '../../../infra/settings.ts';
import { realProvider } from '../../support/real-provider.ts';
import { grantedLines } from '../../support/roles/granted.ts';
import type { Resource } from '../../support/synthesized.ts';
import { composed, readable, resourcesOf } from '../../support/synthesized.ts';

const resourcesWith = (provider: object): readonly Resource[] =>
  resourcesOf(composed({ provider: { ...realProvider, ...provider } }), 'PayoutOrchestrator');

const none = resourcesWith({});
const two = resourcesWith({ staticAddresses: 2 });
const ofType = (resources: readonly Resource[], type: string) => resources.filter(({ Type }) => Type === type);
const functionsOf = (resources: readonly Resource[]) => ofType(resources, 'AWS::Lambda::Function');
const asksProvider = ({ Properties }: Resource): boolean => JSON.stringify(Properties).includes('PROVIDER_BASE_URL');
const isConnected = ({ Properties }: Resource): boolean => Properties['VpcConfig'] !== undefined;
const names = (resources: readonly Resource[]) => resources.map(({ logicalId }) => logicalId);

describe('a provider without an allowlist of addresses', () => {
  it('is called without a network', () => {
    expect(none.filter(({ Type }) => Type.startsWith('AWS::EC2::'))).toEqual([]);
    expect(functionsOf(none).filter(isConnected)).toEqual([]);
    expect(JSON.stringify(none)).not.toContain('ec2:');
  });
});

describe('a provider with an allowlist of addresses', () => {
  it('is called only by functions in the network, which contains no others', () => {
    const connected = functionsOf(two).filter(isConnected);
    expect(names(connected)).toEqual(names(functionsOf(two).filter(asksProvider)));
    expect(connected.length).toBeGreaterThan(5);
    expect(connected.length).toBeLessThan(functionsOf(two).length);
  });

  it('sees one address per zone, which the stack outputs and retains', () => {
    expect(ofType(two, 'AWS::EC2::NatGateway')).toHaveLength(2);
    const addresses = ofType(two, 'AWS::EC2::EIP');
    expect(addresses).toHaveLength(2);
    for (const { DeletionPolicy } of addresses) expect(DeletionPolicy).toMatch(/^Retain/);
    const { template } = composed({ provider: { ...realProvider, staticAddresses: 2 } })
      .synth()
      .getStackArtifact('PayoutOrchestrator');
    expect(readable(template.Outputs.StaticAddresses.Value)).toBe(
      names(addresses)
        .map((name) => `<${name}>`)
        .join(' '),
    );
  });

  it('keeps each subnet when the number of addresses changes, because CloudFormation makes new ones first', () => {
    const rangesOf = (staticAddresses: number) => {
      const subnets = ofType(resourcesWith({ staticAddresses }), 'AWS::EC2::Subnet');
      return subnets.map(({ logicalId, Properties }) => `${logicalId} ${Properties['CidrBlock']}`);
    };
    const all = [1, 2, mostStaticAddresses].map(rangesOf);
    expect(all.map(({ length }) => length)).toEqual([2, 4, 6]);
    for (const ranges of all) expect(all.at(-1)).toEqual(expect.arrayContaining(ranges));
  });

  it('cannot connect to the network, which has no ingress and no public address', () => {
    expect(ofType(two, 'AWS::EC2::SecurityGroupIngress')).toEqual([]);
    const [group, ...others] = ofType(two, 'AWS::EC2::SecurityGroup');
    expect(others).toEqual([]);
    expect(group?.Properties).not.toHaveProperty('SecurityGroupIngress');
    expect(group?.Properties['SecurityGroupEgress']).toMatchObject([{ IpProtocol: 'tcp', FromPort: 443, ToPort: 443 }]);
    for (const { Properties } of ofType(two, 'AWS::EC2::Subnet')) expect(Properties['MapPublicIpOnLaunch']).toBe(false);
  });

  it('may use another port', () => {
    const [group] = ofType(
      resourcesWith({ staticAddresses: 1, baseUrl: 'https://pay.example:8443' }),
      'AWS::EC2::SecurityGroup',
    );
    expect(group?.Properties['SecurityGroupEgress']).toMatchObject([{ FromPort: 443 }, { FromPort: 8443 }]);
  });

  it('is called only by functions that are deployed after the routes to it', () => {
    const routes = ofType(two, 'AWS::EC2::Route').filter(({ Properties }) => 'NatGatewayId' in Properties);
    expect(routes).toHaveLength(2);
    for (const { DependsOn } of functionsOf(two).filter(isConnected))
      expect(DependsOn).toEqual(expect.arrayContaining(names(routes)));
  });

  it('is called from a network with gateway endpoints only for the ledger and the files', () => {
    const endpoints = ofType(two, 'AWS::EC2::VPCEndpoint');
    const resources = endpoints.map(({ Properties }) => JSON.stringify(Properties['PolicyDocument']));
    expect(endpoints.map(({ Properties }) => Properties['VpcEndpointType'])).toEqual(['Gateway', 'Gateway']);
    expect(resources[0]).toMatch(/"Action":"dynamodb:\*".*"PayoutLedgerTable\w+","Arn"/);
    expect(resources[1]).toMatch(/"Action":"s3:\*".*"PayoutFilesBucket\w+","Arn"/);
    for (const text of resources) expect(text).not.toContain('"Resource":"*"');
  });

  it('is called from a network to which only Lambda can connect a function, not the function’s own code', () => {
    const connecting = /^ec2:(Assign|Unassign)PrivateIpAddresses |^ec2:(Create|Delete|Describe)\w+ /;
    const roles = Object.values(grantedLines(two)).filter((lines) => lines.some((line) => line.startsWith('ec2:')));
    expect(roles).toHaveLength(functionsOf(two).filter(isConnected).length);
    for (const lines of roles) {
      const allowed = lines.filter((line) => line.startsWith('ec2:'));
      expect(allowed.filter((line) => !connecting.test(line))).toEqual([]);
      expect(lines.filter((line) => line.startsWith('not '))).toEqual(
        allowed.map((line) => `not ${line} if Null lambda:SourceFunctionArn false`),
      );
    }
  });

  it('is called from a network that logs refused traffic', () => {
    expect(ofType(two, 'AWS::EC2::FlowLog')).toMatchObject([{ Properties: { TrafficType: 'REJECT' } }]);
  });
});

it('a static address is refused on a local AWS, which has no NAT gateways', () => {
  expect(() => composed({ stage: 'local', provider: { kind: 'sandbox', staticAddresses: 1 } })).toThrow(
    'staticAddresses: is 1, and stage is local',
  );
});

it.each([-1, 4, 1.5, true])('%s static addresses are refused', (staticAddresses) => {
  expect(() => resourcesWith({ staticAddresses })).toThrow('staticAddresses');
});
