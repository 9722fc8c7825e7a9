import type { TestProject } from 'vitest/node';
import { provideLocalAws } from './local-aws.ts';

/** A local AWS that waits as AWS does, all settings as they come, and that makes two calls at once. */
export default (project: TestProject): Promise<() => Promise<void>> =>
  provideLocalAws(project, { waitScale: 1, settings: { submitsAtOnce: '2' } });
