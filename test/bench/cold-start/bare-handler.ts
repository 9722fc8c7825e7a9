import type { BuildOptions } from 'esbuild';
import { buildSync } from 'esbuild';
import { bundling } from '../../../infra/constructs/function-code.ts';
import { projectRoot } from '../../../infra/local/paths.ts';

/** One export of each SDK package, which a bare handler imports in its place. */
const clients: Readonly<Record<string, string>> = {
  '@aws-sdk/client-dynamodb': 'DynamoDBClient',
  '@aws-sdk/client-eventbridge': 'EventBridgeClient',
  '@aws-sdk/client-lambda': 'LambdaClient',
  '@aws-sdk/client-s3': 'S3Client',
  '@aws-sdk/client-scheduler': 'SchedulerClient',
  '@aws-sdk/client-secrets-manager': 'SecretsManagerClient',
  '@aws-sdk/client-sfn': 'SFNClient',
  '@aws-sdk/client-sns': 'SNSClient',
  '@aws-sdk/client-sqs': 'SQSClient',
  '@aws-sdk/lib-dynamodb': 'DynamoDBDocumentClient',
  '@aws-sdk/lib-storage': 'Upload',
};

/** Label for the project's own part of a bundle. */
export const ownCode = 'own code';

/** Bytes of a function's bundle by package. */
export const contentsOf = (entry: string): ReadonlyMap<string, number> => {
  const { metafile } = buildSync({
    ...bundling,
    entryPoints: [entry],
    outfile: 'index.js',
    metafile: true,
    write: false,
  });
  const bytes = new Map<string, number>();
  for (const { inputs } of Object.values(metafile.outputs))
    for (const [file, { bytesInOutput }] of Object.entries(inputs)) {
      const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? ownCode;
      bytes.set(name, (bytes.get(name) ?? 0) + bytesInOutput);
    }
  return bytes;
};

/** The SDK's clients among a bundle's packages, sorted. */
export const clientsAmong = (packages: Iterable<string>): readonly string[] =>
  [...packages].filter((name) => /^@aws-sdk\/(client|lib)-/.test(name)).toSorted();

/**
 * Writes the bundle of a handler that does nothing but load these clients.
 */
export const writeBareHandler = (used: readonly string[], outfile: string, options: BuildOptions): void => {
  const imports = used.map((name) => {
    const client = clients[name];
    if (client === undefined) throw new Error(`bare-handler.ts has no export for ${name}`);
    return { client, line: `import { ${client} } from '${name}';` };
  });
  const handler = `export const handler = async () => [${imports.map(({ client }) => client).join(', ')}];`;
  const contents = [...imports.map(({ line }) => line), handler].join('\n');
  buildSync({ ...options, stdin: { contents, resolveDir: projectRoot }, outfile });
};
