import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { localFolder } from './places.ts';
import { PlainError } from './plain-error.ts';
import { runProgram, tryProgram } from './run-program.ts';

/** The version that LOCAL-AWS.md's list of differences from AWS was written for. */
const emulatorPackage = 'ministack==1.5.33';

/** How the emulator is run: a Python, and where it finds the packages when they are not its own. */
export interface EmulatorProgram {
  readonly python: string;
  readonly environment: Readonly<Record<string, string>>;
}

const pythons = ['python3', 'python', 'python3.14', 'python3.13', 'python3.12', 'python3.11', 'python3.10'];

async function findPython(): Promise<string> {
  for (const python of pythons) {
    const { code } = await tryProgram(python, ['-c', 'import sys; sys.exit(sys.version_info < (3, 10))']);
    if (code === 0) return python;
  }
  throw new PlainError(
    'The local AWS needs Python 3.10 or newer, and none was found on the PATH. Install it from python.org or with your package manager, then run this again.',
  );
}

async function install(folder: string, say: (line: string) => void): Promise<void> {
  const python = await findPython();
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  say(`Installing ${emulatorPackage} with ${python}`);
  const venv = await tryProgram(python, ['-m', 'venv', path.join(folder, 'venv')]);
  const failure = `The local AWS (${emulatorPackage}) could not be installed. pip said:`;
  if (venv.code === 0) {
    await runProgram(venvPython(folder), ['-m', 'pip', 'install', '--quiet', emulatorPackage], failure);
    return;
  }
  // Debian ships venv without pip in it; its python3-pip, where there is one, can still install into a folder.
  await rm(path.join(folder, 'venv'), { recursive: true, force: true });
  if ((await tryProgram(python, ['-m', 'pip', '--version'])).code !== 0) {
    throw new PlainError(
      `${python} has neither venv nor pip, so the local AWS cannot be installed. On Debian or Ubuntu: sudo apt install python3-venv. Then run this again.`,
    );
  }
  const target = path.join(folder, 'packages');
  await runProgram(python, ['-m', 'pip', 'install', '--quiet', '--target', target, emulatorPackage], failure);
}

function venvPython(folder: string): string {
  return process.platform === 'win32'
    ? path.join(folder, 'venv', 'Scripts', 'python.exe')
    : path.join(folder, 'venv', 'bin', 'python');
}

/**
 * The emulator, installed into the ignored folder when it is not there yet.
 *
 * @throws PlainError when there is no usable Python, or the installation fails
 */
export async function installedEmulator(say: (line: string) => void): Promise<EmulatorProgram> {
  const folder = path.join(localFolder, 'emulator');
  const finished = path.join(folder, emulatorPackage);
  if (!existsSync(finished)) {
    await install(folder, say);
    // Written last, so that an installation that was cut short is made again.
    await writeFile(finished, '');
  }
  if (existsSync(venvPython(folder))) return { python: venvPython(folder), environment: {} };
  return { python: await findPython(), environment: { PYTHONPATH: path.join(folder, 'packages') } };
}
