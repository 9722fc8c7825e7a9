/** An accepted finding. A test fails for an exception that matches no finding. */
export interface Exception {
  readonly linter: 'cfn-lint' | 'parliament';
  readonly rule: string;
  /** Matches the finding's text: the resource and the linter's message. */
  readonly where: RegExp;
  readonly why: string;
}

export const exceptions: readonly Exception[] = [
  {
    linter: 'cfn-lint',
    rule: 'W3005',
    where: /Role\w*' dependency already enforced/,
    why: 'The CDK names a role both in its function’s DependsOn and in its properties. The repetition changes nothing.',
  },
  {
    linter: 'parliament',
    rule: 'RESOURCE_MISMATCH',
    where: /"action": "states:\w+", "required_format": "arn:\*:states:\*:\*:express:[^"]*"\}\]/,
    why: 'It also wants the ARN of an express execution. The workflow is a standard one, and has none.',
  },
  {
    linter: 'parliament',
    rule: 'RESOURCE_STAR',
    where:
      /\[\["ec2:AssignPrivateIpAddresses", "ec2:CreateNetworkInterface", "ec2:DeleteNetworkInterface", "ec2:UnassignPrivateIpAddresses"\]/,
    why: 'Lambda uses the role’s rights to connect a function to a network, on any resource. The function’s own code is denied them.',
  },
];
