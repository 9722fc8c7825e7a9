import { bundleOf } from '../infra/constructs/function-code.ts';
import { installEmulator } from '../infra/local/aws/bring-up.ts';
import { runCommand } from '../infra/local/run-command.ts';
import { installedLinter } from './linters/run-linters.ts';
import { installedSchemathesis } from './schemathesis/run-schemathesis.ts';

// Runs before `npm test`, whose parts run concurrently. They would each install the emulator and bundle all functions.
await runCommand(async () => {
  const emulator = installEmulator((line) => process.stdout.write(`${line}\n`));
  // Meanwhile a core is free. If one of these fails, its tests try again and say why.
  const tools = Promise.allSettled([
    installedLinter('cfn-lint'),
    installedLinter('parliament'),
    installedSchemathesis(),
  ]);
  // All functions are bundled together and kept, whichever is named.
  bundleOf('functions/steps/plan-batch.ts');
  await Promise.all([emulator, tools]);
});
