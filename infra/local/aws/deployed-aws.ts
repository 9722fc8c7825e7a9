import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { jsonIn } from '../json-in.ts';
import { localFolder } from '../paths.ts';
import { approverKeys } from './approvers.ts';
import { stackOutputs } from './deploy.ts';
import type { LocalAwsAddress } from './emulator.ts';
import { localAwsAddress } from './emulator.ts';

/** A local AWS with both stacks deployed: enough to use it or to stop it. */
export const deployedAws = z.strictObject({
  aws: localAwsAddress,
  outputs: stackOutputs,
  approvers: approverKeys,
  /** Address of its console, while that is served. */
  consoleUrl: z.string().exactOptional(),
});

export type DeployedAws = z.infer<typeof deployedAws>;

/** The file in which `npm run local` records what it keeps running. */
export const stateFile = path.join(localFolder, 'local-aws.json');

const readState = async (file: string): Promise<unknown> => jsonIn(await readFile(file, 'utf8').catch(() => ''));

/** What the file records. Undefined without a file, or when another version of this code wrote it. */
export const readKept = async (file: string = stateFile): Promise<DeployedAws | undefined> =>
  deployedAws.safeParse(await readState(file)).data;

/** Just the local AWS that the file records, whatever version deployed to it: enough to stop it. */
export const readKeptAddress = async (file: string = stateFile): Promise<LocalAwsAddress | undefined> =>
  deployedAws
    .pick({ aws: true })
    .loose()
    .safeParse(await readState(file)).data?.aws;

export const rememberKept = async (deployed: DeployedAws): Promise<void> => {
  await writeFile(stateFile, `${JSON.stringify(deployed, undefined, 2)}\n`);
};

export const forgetKept = async (): Promise<void> => {
  await rm(stateFile, { force: true });
};
