import * as z from 'zod';
import { appWithoutBundles } from '../app-without-bundles.ts';
import { settingsOn } from '../local/deploy.ts';
import { OperatorClient } from '../local/operator-client.ts';
import { PlainError } from '../local/plain-error.ts';
import { monthlyUsd } from '../local/price-list.ts';
import { watchedBehaviour } from '../local/run-batch.ts';
import { WrongSettings } from '../settings.ts';
import type { Place } from './place.ts';
import { findStack, stacksOf } from './stacks.ts';
import { throwawayStage } from './throwaway-stage.ts';

/** What is about to be deployed. */
export interface Prepared {
  /** CDK context on top of the place's. */
  readonly settings: Readonly<Record<string, string>>;
  /** US dollars of a month of it, used or not. */
  readonly monthlyUsd: string;
  /** Logical ids of the functions that may wake themselves without end. */
  readonly mayLoop: ReadonlySet<string>;
}

const gatewayAccount = z.object({ cloudwatchRoleArn: z.string().nullish() });

/**
 * Looks at what has to be so before a stage is deployed. Makes nothing.
 *
 * @throws PlainError when the stage may not be thrown away or is there already, or the CDK cannot deploy there
 */
export const prepare = async ({ target, credentials, apiGatewayUrl, isLocal }: Place): Promise<Prepared> => {
  const stage = throwawayStage(target.settings.stage);
  const { region, account } = target;
  if ((await findStack('CDKToolkit')) === undefined) {
    throw new PlainError(
      `The CDK has not been prepared for ${region} of ${target.name}, so nothing was done. This does it once, and stays: npx cdk bootstrap aws://${account}/${region} --app ''`,
    );
  }
  const there = await stacksOf(stage);
  if (there.length > 0)
    throw new PlainError(`${there.map(({ name }) => name).join(' and ')} are there already, so nothing was done.`);
  const gateway = new OperatorClient({ apiUrl: apiGatewayUrl, region, service: 'apigateway', credentials });
  const { cloudwatchRoleArn } = await gateway.ask({ method: 'GET', path: '/account' }, gatewayAccount);
  // The role is the account's. One that is there belongs to others, and would be lost to them when the stage goes.
  const setsApiLogRole = String((cloudwatchRoleArn ?? '') === '');
  const settings = { orchestrator: JSON.stringify(watchedBehaviour), setsApiLogRole };
  const context = settingsOn(target, { settings });
  const resources = templates(context, isLocal ? target.environment['AWS_ENDPOINT_URL'] : undefined);
  return {
    settings,
    monthlyUsd: monthlyUsd(resources.map(({ Type }) => Type)),
    mayLoop: new Set(resources.flatMap(({ id, Properties }) => (Properties.RecursiveLoop === 'Allow' ? [id] : []))),
  };
};

const template = z.object({
  Resources: z.record(
    z.string(),
    z.object({
      Type: z.string(),
      Properties: z.object({ RecursiveLoop: z.unknown().optional() }).default({}),
    }),
  ),
});

const templates = (context: Readonly<Record<string, string>>, awsEndpoint: string | undefined) => {
  try {
    const { stacks } = appWithoutBundles(context, awsEndpoint).synth();
    return stacks.flatMap((stack) =>
      Object.entries(template.parse(stack.template).Resources).map(([id, found]) => ({ id, ...found })),
    );
  } catch (error) {
    throw error instanceof WrongSettings ? new PlainError(error.message) : error;
  }
};
