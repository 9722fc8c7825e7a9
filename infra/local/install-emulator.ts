import { installEmulator } from './aws/bring-up.ts';
import { runCommand } from './run-command.ts';

// Runs before `npm test`, whose parts each start a local AWS concurrently. They must find the emulator installed.
await runCommand(async () => {
  await installEmulator(console.log);
});
