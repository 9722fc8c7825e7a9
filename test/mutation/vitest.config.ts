import { defineConfig } from 'vitest/config';
import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';

/** What kills most mutants soonest comes first: a run ends at the first test that fails. */
const order = ['unit/domain', 'unit/payouts', 'unit/ledger', 'unit/release', 'ledger', 'unit', 'mutation'];
const rank = ({ moduleId }: TestSpecification) => order.findIndex((folder) => moduleId.includes(`/test/${folder}/`));

class SoonestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((one, other) => rank(one) - rank(other));
  }
}

/** The tests that see a mutant: those that use functions in their own process. */
export default defineConfig({
  test: {
    include: [
      'test/unit/{api,batches,domain,files,ledger,payouts,provider,release,steps,watch,webhooks}/**/*.test.ts',
      'test/{ledger,mutation}/**/*.test.ts',
    ],
    // Reads a million rows, which takes minutes where every branch is counted.
    exclude: ['test/unit/domain/payout-file/first-rows.test.ts'],
    env: { LEDGER_UNDER_TEST: 'memory' },
    setupFiles: ['test/mutation/first-failure.ts'],
    sequence: { sequencer: SoonestFirst },
    isolate: false,
    testTimeout: 60_000,
  },
});
