import { App } from 'aws-cdk-lib';
import { composeApp } from './compose-app.ts';
import { WrongSettings } from './settings.ts';

try {
  composeApp(new App(), process.env['AWS_ENDPOINT_URL']);
} catch (error) {
  if (!(error instanceof WrongSettings)) throw error;
  console.error(error.message);
  process.exit(1);
}
