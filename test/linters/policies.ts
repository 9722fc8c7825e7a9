import * as z from 'zod';

const template = z.object({
  Resources: z.record(z.string(), z.looseObject({ Type: z.string(), Properties: z.looseObject({}).optional() })),
});

const own = 'us-east-1:123456789012';

/** Example values by resource type and attribute, as CloudFormation would fill them in. Linters check an ARN's form. */
const arns: Readonly<Record<string, string>> = {
  'AWS::DynamoDB::GlobalTable.Arn': `arn:aws:dynamodb:${own}:table/t`,
  // On AWS it ends in a time of day. Parliament takes the colons of a time for separators of the ARN.
  'AWS::DynamoDB::GlobalTable.StreamArn': `arn:aws:dynamodb:${own}:table/t/stream/2026-01-01`,
  'AWS::S3::Bucket.Arn': 'arn:aws:s3:::b',
  'AWS::KMS::Key.Arn': `arn:aws:kms:${own}:key/01234567-89ab-cdef-0123-456789abcdef`,
  'AWS::SQS::Queue.Arn': `arn:aws:sqs:${own}:q`,
  'AWS::SNS::Topic.Ref': `arn:aws:sns:${own}:t`,
  'AWS::Events::EventBus.Arn': `arn:aws:events:${own}:event-bus/b`,
  'AWS::IAM::Role.Arn': 'arn:aws:iam::123456789012:role/r',
  'AWS::Lambda::Function.Arn': `arn:aws:lambda:${own}:function:f`,
  'AWS::Lambda::Alias.Ref': `arn:aws:lambda:${own}:function:f:a`,
  'AWS::Logs::LogGroup.Arn': `arn:aws:logs:${own}:log-group:g:*`,
  'AWS::StepFunctions::StateMachine.Ref': `arn:aws:states:${own}:stateMachine:m`,
  'AWS::StepFunctions::StateMachine.Name': 'm',
  'AWS::Scheduler::ScheduleGroup.Ref': 'g',
  'AWS::Scheduler::ScheduleGroup.Arn': `arn:aws:scheduler:${own}:schedule-group/g`,
};

const pseudo: Readonly<Record<string, string>> = {
  'AWS::Partition': 'aws',
  'AWS::Region': 'us-east-1',
  'AWS::AccountId': '123456789012',
};

/** Returns a value as deployed. Throws on an unknown function or attribute, so that no policy is checked only in part. */
const deployedValue = (value: unknown, types: ReadonlyMap<string, string>): unknown => {
  if (Array.isArray(value)) return value.map((one) => deployedValue(one, types));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const [[name, argument] = ['', undefined]] = entries;
  const attributeOf = (id: string, attribute: string): string => {
    const found = pseudo[id] ?? arns[`${types.get(id)}.${attribute}`];
    if (found === undefined) throw new Error(`policies.ts does not know ${types.get(id)}.${attribute} (${id})`);
    return found;
  };
  if (name === 'Ref') return attributeOf(String(argument), 'Ref');
  if (name === 'Fn::GetAtt') {
    const [id, attribute] = z.tuple([z.string(), z.string()]).parse(argument);
    return attributeOf(id, attribute);
  }
  if (name === 'Fn::Join') {
    const [separator, parts] = z.tuple([z.string(), z.array(z.unknown())]).parse(argument);
    return parts.map((part) => String(deployedValue(part, types))).join(separator);
  }
  if (name.startsWith('Fn::')) throw new Error(`policies.ts does not know ${name}`);
  return Object.fromEntries(entries.map(([key, one]) => [key, deployedValue(one, types)]));
};

/** Returns every policy of a template's roles as JSON text with its values filled in, by logical id. */
export const policiesOf = (text: unknown): ReadonlyMap<string, string> => {
  const { Resources } = template.parse(text);
  const types = new Map(Object.entries(Resources).map(([id, { Type }]) => [id, Type]));
  return new Map(
    Object.entries(Resources).flatMap(([id, { Type, Properties }]) =>
      Type === 'AWS::IAM::Policy' || Type === 'AWS::IAM::ManagedPolicy'
        ? [[id, JSON.stringify(deployedValue(Properties?.['PolicyDocument'], types))] as const]
        : [],
    ),
  );
};
