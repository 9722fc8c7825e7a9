import Big from 'big.js';

export interface CostLine {
  readonly what: string;
  readonly count: string;
  /** US dollars, exact decimal. */
  readonly usd: string;
}

/** Something that AWS bills by use. */
interface Item {
  readonly what: string;
  /** US dollars for one. */
  readonly price: Big;
  /** How many counted units AWS bills as one. */
  readonly unitsOfOne?: number;
}

/**
 * AWS list prices in us-east-1 without free tiers. Sources, as of January 2026:
 * aws.amazon.com/step-functions/pricing, /lambda/pricing (arm64), /dynamodb/pricing/on-demand, /s3/pricing (Standard),
 * /api-gateway/pricing (REST).
 */
const items = {
  stateTransitions: { what: 'Step Functions state transitions', price: new Big('0.025').div('1000') },
  lambdaRequests: { what: 'Lambda requests', price: new Big('0.20').div('1000000') },
  /** Memory times time, in MB-milliseconds. */
  lambdaMbMs: { what: 'Lambda GB-seconds', price: new Big('0.0000133334'), unitsOfOne: 1024 * 1000 },
  /** Write request units: one for each KB of an item, two in a transaction. */
  tableWriteUnits: { what: 'DynamoDB write units', price: new Big('0.625').div('1000000') },
  /** Read request units: one for 4 KB read strongly, otherwise half a unit. */
  tableReadUnits: { what: 'DynamoDB read units', price: new Big('0.125').div('1000000') },
  s3Writes: { what: 'S3 writes', price: new Big('0.005').div('1000') },
  s3Reads: { what: 'S3 reads', price: new Big('0.0004').div('1000') },
  apiRequests: { what: 'API Gateway requests', price: new Big('3.50').div('1000000') },
} as const satisfies Readonly<Record<string, Item>>;

/** Counts of what a run used of AWS. */
export type Usage = Readonly<Record<keyof typeof items, number>>;

/**
 * US dollars a month for each resource, whether it is used or not, by CloudFormation type. Sources:
 * aws.amazon.com/cloudwatch/pricing, /kms/pricing, /secrets-manager/pricing, /vpc/pricing. An alarm costs this once for each
 * metric that it watches.
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

/** The price of the usage, one line for each item. Monthly prices are in infra/COSTS.md. */
export const costOf = (usage: Usage): readonly CostLine[] => {
  const used = new Map(Object.entries(usage));
  return Object.entries<Item>(items).map(([name, { what, price, unitsOfOne = 1 }]) => {
    const count = (used.get(name) ?? 0) / unitsOfOne;
    return { what, count: String(Math.round(count * 100) / 100), usd: price.times(String(count)).toFixed(8) };
  });
};

/** The sum of all lines in US dollars, exact decimal. */
export const totalUsd = (lines: readonly CostLine[]): string =>
  lines.reduce((sum, { usd }) => sum.plus(usd), new Big('0')).toFixed(8);
