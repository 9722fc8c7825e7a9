import { installEmulator } from './aws/bring-up.ts';
import { PlainError } from './plain-error.ts';

// Runs before `npm test`: its parts start a local AWS each at the same time, and must find the emulator installed.
try {
  await installEmulator(console.log);
} catch (error) {
  if (!(error instanceof PlainError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
