import Big from 'big.js';

/** Counts of what a run used of AWS. */
export interface Usage {
  readonly stateTransitions: number;
  readonly lambdaRequests: number;
  /** Memory times time, in MB-milliseconds. */
  readonly lambdaMbMs: number;
  /** Write request units: one for each KB of an item, two in a transaction. */
  readonly tableWriteUnits: number;
  /** Read request units: one for 4 KB read strongly, otherwise half a unit. */
  readonly tableReadUnits: number;
  readonly s3Writes: number;
  readonly s3Reads: number;
  readonly apiRequests: number;
}

export interface CostLine {
  readonly what: string;
  readonly count: string;
  /** US dollars, exact decimal. */
  readonly usd: string;
}

/**
 * AWS list prices in us-east-1 without free tiers, in US dollars for one unit. Sources, as of January 2026:
 * aws.amazon.com/step-functions/pricing, /lambda/pricing (arm64), /dynamodb/pricing/on-demand, /s3/pricing (Standard),
 * /api-gateway/pricing (REST).
 */
const prices = {
  stateTransition: new Big('0.025').div('1000'),
  lambdaRequest: new Big('0.20').div('1000000'),
  lambdaGbSecond: new Big('0.0000133334'),
  tableWriteUnit: new Big('0.625').div('1000000'),
  tableReadUnit: new Big('0.125').div('1000000'),
  s3Write: new Big('0.005').div('1000'),
  s3Read: new Big('0.0004').div('1000'),
  apiRequest: new Big('3.50').div('1000000'),
} as const;

/**
 * US dollars a month for each resource, whether it is used or not, by CloudFormation type. Sources: aws.amazon.com/cloudwatch/pricing,
 * /kms/pricing, /secrets-manager/pricing, /vpc/pricing. An alarm costs this once for each metric that it watches.
 */
export const monthlyPrices = {
  'AWS::CloudWatch::Alarm': new Big('0.10'),
  'AWS::CloudWatch::Dashboard': new Big('3.00'),
  'AWS::KMS::Key': new Big('1.00'),
  'AWS::SecretsManager::Secret': new Big('0.40'),
  /** 0.045 an hour. Each GB through it costs 0.045 more. */
  'AWS::EC2::NatGateway': new Big('32.85'),
  /** 0.005 an hour. */
  'AWS::EC2::EIP': new Big('3.65'),
} as const;

/** AWS bills monthly prices by the hour. */
export const hoursOfMonth = 730;

/** US dollars a month for resources of these CloudFormation types. Types that are billed by use only count as 0. */
export const monthlyUsd = (types: readonly string[]): string => {
  const prices: ReadonlyMap<string, Big> = new Map(Object.entries(monthlyPrices));
  return types.reduce((sum, type) => sum.plus(prices.get(type) ?? '0'), new Big('0')).toFixed(2);
};

/** MB-milliseconds in a GB-second. */
const mbMsPerGbSecond = 1024 * 1000;

const line = (what: string, count: number, price: Big): CostLine => ({
  what,
  count: String(Math.round(count * 100) / 100),
  usd: price.times(String(count)).toFixed(8),
});

/** The price of the usage, one line for each item. Monthly prices are in infra/COSTS.md. */
export const costOf = (usage: Usage): readonly CostLine[] => [
  line('Step Functions state transitions', usage.stateTransitions, prices.stateTransition),
  line('Lambda requests', usage.lambdaRequests, prices.lambdaRequest),
  line('Lambda GB-seconds', usage.lambdaMbMs / mbMsPerGbSecond, prices.lambdaGbSecond),
  line('DynamoDB write units', usage.tableWriteUnits, prices.tableWriteUnit),
  line('DynamoDB read units', usage.tableReadUnits, prices.tableReadUnit),
  line('S3 writes', usage.s3Writes, prices.s3Write),
  line('S3 reads', usage.s3Reads, prices.s3Read),
  line('API Gateway requests', usage.apiRequests, prices.apiRequest),
];

/** The sum of all lines in US dollars, exact decimal. */
export const totalUsd = (lines: readonly CostLine[]): string =>
  lines.reduce((sum, { usd }) => sum.plus(usd), new Big('0')).toFixed(8);
