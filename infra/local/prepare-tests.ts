import { bundleOf } from '../constructs/function-code.ts';
import { installEmulator } from './aws/bring-up.ts';
import { runCommand } from './run-command.ts';

// Runs before `npm test`, whose parts run concurrently. They would each install the emulator and bundle all functions.
await runCommand(async () => {
  await installEmulator(console.log);
  // All functions are bundled together and kept, whichever is named.
  bundleOf('functions/steps/plan-batch.ts');
});
