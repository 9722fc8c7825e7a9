import { App } from 'aws-cdk-lib';
import { DISABLE_CREATION_STACK_TRACES } from 'aws-cdk-lib/cx-api';
import { composeApp } from './compose-app.ts';
import { WrongSettings } from './settings.ts';

try {
  // Not in cdk.json, where the CDK warns about this key at every command.
  const context = { [DISABLE_CREATION_STACK_TRACES]: true };
  composeApp(new App({ context }), process.env['AWS_ENDPOINT_URL']);
} catch (error) {
  if (!(error instanceof WrongSettings)) throw error;
  console.error(error.message);
  process.exit(1);
}
