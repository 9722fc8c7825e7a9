import type { KnipConfig } from 'knip';
import { functionTable } from './infra/function-table/function-table.ts';

const config: KnipConfig = {
  entry: [
    ...Object.values(functionTable).map(({ entry }) => entry),
    // The payment service has no such table: test/infra/function-table.test.ts checks that each of its handlers is deployed.
    'functions/payment-service/**/handlers/*.ts',
    'infra/app.ts',
    'test/mutation/{first-failure,vitest.config}.ts',
  ],
  project: ['{functions,infra,test}/**/*.ts', '*.ts'],
  ignoreExportsUsedInFile: true,
  ignoreDependencies: ['aws-cdk'],
};

export default config;
