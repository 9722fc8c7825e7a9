import { inject } from 'vitest';
import { useLocalAws } from '../../../infra/local/aws/emulator.ts';

/** Each test file's process talks to the local AWS and trusts its certificate. */
useLocalAws(inject('localAws').aws);
