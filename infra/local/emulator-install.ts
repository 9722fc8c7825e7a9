import type { PythonProgram } from './python-packages.ts';
import { installedPackages } from './python-packages.ts';

/**
 * The emulator, installed when it is not there yet.
 *
 * @throws PlainError when there is no usable Python, or the installation fails
 */
export const installedEmulator = (say: (line: string) => void): Promise<PythonProgram> =>
  installedPackages(
    {
      folder: 'emulator',
      what: 'The local AWS',
      // The version that LOCAL-AWS.md's list of differences from AWS was written for.
      packages: ['ministack==1.5.33'],
    },
    say,
  );
