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
      requirements: new URL('requirements.txt', import.meta.url),
    },
    say,
  );
