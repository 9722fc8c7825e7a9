import { App } from 'aws-cdk-lib';
import { cdkContext } from './cdk-context.ts';
import { composeApp } from './compose-app.ts';

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
  const app = new App({ context: { ...cdkContext(), ...settings, 'aws:cdk:bundling-stacks': [] } });
  composeApp(app, awsEndpoint);
  return app;
};
