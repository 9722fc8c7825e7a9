import { afterAll, afterEach } from 'vitest';
import { failOnMisfits, watchAnew } from './watched-answers.ts';

// A setup file of all tests that send requests to the payment service: vitest runs it for each test file. An answer that does
// not match the payment service's document fails the test that ends next.
watchAnew();
afterEach(failOnMisfits);
afterAll(failOnMisfits);
