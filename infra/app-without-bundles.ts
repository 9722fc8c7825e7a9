import { readFileSync } from 'node:fs';
import { App } from 'aws-cdk-lib';
import * as z from 'zod';
import { composeApp } from './compose-app.ts';

const cdkJson = z.object({ context: z.record(z.string(), z.unknown()) });

/**
 * The app as `cdk synth` creates it, but without bundles: for reading its templates.
 *
 * @param settings override cdk.json
 * @param awsEndpoint the value of AWS_ENDPOINT_URL
 */
export const appWithoutBundles = (
  settings: Readonly<Record<string, unknown>>,
  awsEndpoint: string | undefined,
): App => {
  const { context } = cdkJson.parse(JSON.parse(readFileSync(new URL('../cdk.json', import.meta.url), 'utf8')));
  const app = new App({ context: { ...context, ...settings, 'aws:cdk:bundling-stacks': [] } });
  composeApp(app, awsEndpoint);
  return app;
};
