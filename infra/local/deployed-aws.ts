import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { approverKeys } from './approvers.ts';
import { stackOutputs } from './deploy.ts';
import type { LocalAwsAddress } from './emulator.ts';
import { localAwsAddress } from './emulator.ts';
import { localFolder } from './places.ts';

/** A local AWS with both stacks deployed: all that is needed to use it, or to stop it. */
export const deployedAws = z.strictObject({
  aws: localAwsAddress,
  outputs: stackOutputs,
  approvers: approverKeys,
  /** Where its console is served, if it is. */
  consoleUrl: z.string().exactOptional(),
});

export type DeployedAws = z.infer<typeof deployedAws>;

/** Where `npm run local` says what it keeps up. */
export const stateFile = path.join(localFolder, 'local-aws.json');

const readState = async (file: string): Promise<unknown> => {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return undefined;
  }
};

/** What is kept up, as its file says; undefined when there is none, or when it was deployed by another version of this. */
export const readKeptUp = async (file: string = stateFile): Promise<DeployedAws | undefined> =>
  deployedAws.safeParse(await readState(file)).data;

/** The local AWS that is kept up, whatever was deployed to it: all that is needed to stop it. */
export const readKeptAws = async (file: string = stateFile): Promise<LocalAwsAddress | undefined> =>
  deployedAws
    .pick({ aws: true })
    .loose()
    .safeParse(await readState(file)).data?.aws;

export const rememberKeptUp = async (deployed: DeployedAws): Promise<void> => {
  await writeFile(stateFile, `${JSON.stringify(deployed, undefined, 2)}\n`);
};

export const forgetKeptUp = async (): Promise<void> => {
  await rm(stateFile, { force: true });
};
