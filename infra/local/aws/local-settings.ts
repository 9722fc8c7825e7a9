import { cdkContext } from '../../cdk-context.ts';
import type { InfraSettings } from '../../settings.ts';
import { settingsFrom, WrongSettings } from '../../settings.ts';
import { PlainError } from '../plain-error.ts';
import { localStage } from './deploy.ts';
import { localAwsHost } from './emulator.ts';

/**
 * Parses settings of the command line, each `key=value` as for the CDK.
 *
 * @throws PlainError when one has no key or no `=`
 */
export const contextOf = (pairs: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw new PlainError(`-c ${pair}: write a setting as key=value`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );

/**
 * The settings of a deployment to the local AWS.
 *
 * @param given settings of the command line, which override cdk.json
 * @throws PlainError that lists the wrong settings
 */
export const localSettingsOf = (given: Readonly<Record<string, string>>): InfraSettings => {
  try {
    return settingsFrom({ ...cdkContext(), stage: localStage, ...given }, localAwsHost);
  } catch (error) {
    throw error instanceof WrongSettings ? new PlainError(error.message) : error;
  }
};
