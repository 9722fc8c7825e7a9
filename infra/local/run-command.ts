import { PlainError } from './plain-error.ts';

/**
 * Runs a command of package.json. Its process fails when the command returns false, or throws. Of a plain error only the message is
 * shown.
 */
export const runCommand = async (command: () => Promise<boolean> | Promise<void>): Promise<void> => {
  try {
    if ((await command()) === false) process.exitCode = 1;
  } catch (error) {
    if (!(error instanceof PlainError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
};
