import type { BuildOptions } from 'esbuild';
import { buildSync } from 'esbuild';
import { bundling } from '../../../infra/constructs/function-code.ts';
import { projectRoot } from '../../../infra/local/places.ts';

/** What a bundle has of each package of the SDK that is asked for something. */
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

/** What of a bundle is the project's own. */
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
 * Writes the bundle of a handler that has these clients, and nothing else, as functions are bundled.
 *
 * @param differently options of bundling that differ
 */
export const writeBareHandler = (used: readonly string[], outfile: string, differently: BuildOptions = {}): void => {
  const imports = used.map((name) => {
    const client = clients[name];
    if (client === undefined) throw new Error(`bare-handler.ts does not know what a bundle has of ${name}`);
    return { client, line: `import { ${client} } from '${name}';` };
  });
  const handler = `export const handler = async () => [${imports.map(({ client }) => client).join(', ')}];`;
  const contents = [...imports.map(({ line }) => line), handler].join('\n');
  buildSync({ ...bundling, ...differently, stdin: { contents, resolveDir: projectRoot }, outfile });
};
