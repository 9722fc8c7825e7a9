/** A finding that is as it should be: which linter's, by which rule, where, and why. One that matches nothing is refused, too. */
export interface Exception {
  readonly linter: 'cfn-lint' | 'parliament';
  readonly rule: string;
  /** Of what the linter says of it: the resource, and the message. */
  readonly where: RegExp;
  readonly why: string;
}

export const exceptions: readonly Exception[] = [
  {
    linter: 'cfn-lint',
    rule: 'W3005',
    where: /Role\w*' dependency already enforced/,
    why: 'The CDK names a role both as what its function waits for and in its properties. Saying it twice changes nothing.',
  },
  {
    linter: 'parliament',
    rule: 'RESOURCE_MISMATCH',
    where: /"action": "states:\w+", "required_format": "arn:\*:states:\*:\*:express:[^"]*"\}\]/,
    why: 'It wants the ARN of an express execution allowed as well. The workflow is a standard one, and has none.',
  },
  {
    linter: 'parliament',
    rule: 'RESOURCE_STAR',
    where:
      /\[\["ec2:AssignPrivateIpAddresses", "ec2:CreateNetworkInterface", "ec2:DeleteNetworkInterface", "ec2:UnassignPrivateIpAddresses"\]/,
    why: 'Lambda connects a function to a network by its role’s rights, on any resource. The function’s own code is denied them.',
  },
];
