import { buildSync } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundleOf, bundling } from '../../infra/constructs/function-code.ts';

const text = (bundle: Uint8Array): string => Buffer.from(bundle).toString();

const alone = (file: string): string => {
  const [built] = buildSync({ ...bundling, entryPoints: [file], outfile: 'index.js', write: false }).outputFiles;
  return built?.text ?? '';
};

describe('the bundle of a function', () => {
  // The first bundle takes as long as all of them, which a test's time limit may not allow on a busy machine.
  beforeAll(() => {
    bundleOf('functions/steps/end-submit.ts');
  });

  it.each(['functions/steps/end-submit.ts', 'functions/payment-service/handlers/settle-groups.ts'])(
    'of %s is the same as if it were bundled alone',
    (file) => {
      const bundled = text(bundleOf(file));
      expect(bundled).toContain('handler');
      expect(bundled).toBe(alone(file));
    },
  );

  it('is made for a file outside of functions/ too', () => {
    const file = 'test/bench/naive/functions/make-payout.ts';
    expect(text(bundleOf(file))).toBe(alone(file));
  });

  it('is refused for a file that does not exist', () => {
    expect(() => bundleOf('functions/steps/none.ts')).toThrow('Could not resolve');
  });
});
