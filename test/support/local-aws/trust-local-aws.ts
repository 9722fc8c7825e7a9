import { inject } from 'vitest';
import { useLocalAws } from '../../../infra/local/aws/emulator.ts';

/** Makes the process of each test file use the local AWS and trust its certificate. */
useLocalAws(inject('localAws').aws);
