import { readFileSync } from 'node:fs';
import * as z from 'zod';

const cdkJson = z.object({ context: z.record(z.string(), z.unknown()) });

/** The context in cdk.json. The CDK's command line reads it by itself, programs that compose the app do not. */
export const cdkContext = (): Readonly<Record<string, unknown>> =>
  cdkJson.parse(JSON.parse(readFileSync(new URL('../cdk.json', import.meta.url), 'utf8'))).context;
