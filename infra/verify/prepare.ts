import * as z from 'zod';
import { appWithoutBundles } from '../app-without-bundles.ts';
import { settingsOn } from '../local/aws/deploy.ts';
import { watchedBehavior } from '../local/batch/run-batch.ts';
import { monthlyUsd } from '../local/costs/price-list.ts';
import { OperatorClient } from '../local/operator-client.ts';
import { PlainError } from '../local/plain-error.ts';
import { WrongSettings } from '../settings.ts';
import { findStack, stacksOf } from './stacks.ts';
import { throwawayStage } from './throwaway-stage.ts';
import type { VerifiedAws } from './verified-aws.ts';

/** The deployment that is about to start. */
export interface Prepared {
  /** CDK context that overrides the target's. */
  readonly settings: Readonly<Record<string, string>>;
  /** US dollars a month, whether it is used or not. */
  readonly monthlyUsd: string;
  /** Logical ids of the functions that may invoke themselves without limit. */
  readonly mayLoop: ReadonlySet<string>;
}

const gatewayAccount = z.object({ cloudwatchRoleArn: z.string().nullish() });

/**
 * Checks what must hold before a stage is deployed. Creates nothing.
 *
 * @throws PlainError when it is not a throwaway stage or exists already, or the CDK cannot deploy there
 */
export const prepare = async ({ target, credentials, apiGatewayUrl, isLocal }: VerifiedAws): Promise<Prepared> => {
  const stage = throwawayStage(target.settings.stage);
  const { region, account } = target;
  if ((await findStack('CDKToolkit')) === undefined) {
    throw new PlainError(
      `The CDK is not bootstrapped in ${region} of ${target.name}, so nothing was done. Run this once: npx cdk bootstrap aws://${account}/${region} --app ''`,
    );
  }
  const there = await stacksOf(stage);
  if (there.length > 0)
    throw new PlainError(`${there.map(({ name }) => name).join(' and ')} already exist, so nothing was done.`);
  const gateway = new OperatorClient({ apiUrl: apiGatewayUrl, region, service: 'apigateway', credentials });
  const { cloudwatchRoleArn } = await gateway.ask({ method: 'GET', path: '/account' }, gatewayAccount);
  // The role belongs to the account. An existing one is used by others, who would lose it with the stage.
  const setsApiLogRole = String((cloudwatchRoleArn ?? '') === '');
  const settings = { orchestrator: JSON.stringify(watchedBehavior), setsApiLogRole };
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
