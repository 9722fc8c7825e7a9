import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { localFolder } from './paths.ts';
import { PlainError } from './plain-error.ts';
import { runProgram, tryProgram } from './run-program.ts';

/** A Python program to install below `.local/`. */
export interface PythonPackages {
  /** Name of its folder. */
  readonly folder: string;
  /** Its name in messages: `The local AWS`. */
  readonly what: string;
  /** The file that pins each package for every Python version. Its first lines say how it is made from the `.in` file beside it. */
  readonly requirements: URL;
}

/** How to run an installed program: a Python, and the environment in which it finds the packages. */
export interface PythonProgram {
  readonly python: string;
  readonly environment: Readonly<Record<string, string>>;
}

const pythons = ['python3', 'python', 'python3.14', 'python3.13', 'python3.12', 'python3.11', 'python3.10'];

const findPython = async (what: string): Promise<string> => {
  for (const python of pythons) {
    const { code } = await tryProgram(python, ['-c', 'import sys; sys.exit(sys.version_info < (3, 10))']);
    if (code === 0) return python;
  }
  throw new PlainError(
    `${what} needs Python 3.10 or newer, and there is none on the PATH. Install it from python.org or with your package manager, then run this again.`,
  );
};

const install = async (
  root: string,
  { what, requirements }: PythonPackages,
  say: (line: string) => void,
): Promise<void> => {
  const python = await findPython(what);
  await rm(root, { recursive: true, force: true });
  await mkdir(root, { recursive: true });
  const pipInstall = ['-m', 'pip', 'install', '--quiet', '-r', fileURLToPath(requirements)];
  say(`${what}: installing it with ${python}`);
  const venv = await tryProgram(python, ['-m', 'venv', path.join(root, 'venv')]);
  const failure = `${what} could not be installed. pip said:`;
  if (venv.code === 0) {
    await runProgram(venvPython(root), pipInstall, failure);
    return;
  }
  // Debian's venv comes without pip. If python3-pip is installed, it can still install into a folder.
  await rm(path.join(root, 'venv'), { recursive: true, force: true });
  if ((await tryProgram(python, ['-m', 'pip', '--version'])).code !== 0) {
    throw new PlainError(
      `${what} cannot be installed: ${python} has neither venv nor pip. On Debian or Ubuntu: sudo apt install python3-venv. Then run this again.`,
    );
  }
  await runProgram(python, [...pipInstall, '--target', packagesOf(root)], failure);
};

const packagesOf = (root: string): string => path.join(root, 'packages');

const venvPython = (root: string): string =>
  process.platform === 'win32'
    ? path.join(root, 'venv', 'Scripts', 'python.exe')
    : path.join(root, 'venv', 'bin', 'python');

/**
 * Returns the program, and first installs it unless exactly these versions are there.
 *
 * @throws PlainError when there is no usable Python, or the installation fails
 */
export const installedPackages = async (
  wanted: PythonPackages,
  say: (line: string) => void,
): Promise<PythonProgram> => {
  const root = path.join(localFolder, wanted.folder);
  const finished = path.join(root, 'installed');
  const versions = await readFile(wanted.requirements, 'utf8');
  // A venv's Python is a link, which breaks when the Python that made it is upgraded.
  const isUsable = existsSync(venvPython(root)) || existsSync(packagesOf(root));
  if (!isUsable || !existsSync(finished) || (await readFile(finished, 'utf8')) !== versions) {
    await install(root, wanted, say);
    // Written last, so that an interrupted installation starts over.
    await writeFile(finished, versions);
  }
  if (existsSync(venvPython(root))) return { python: venvPython(root), environment: {} };
  return { python: await findPython(wanted.what), environment: { PYTHONPATH: packagesOf(root) } };
};
