import type { TestProject } from 'vitest/node';
import { freePort } from '../../../infra/local/aws/emulator.ts';
import { provideLocalAws } from './local-aws.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where every event is posted to, once a test listens there and has made the secret. */
    readonly eventReceiver: { readonly port: number; readonly secretName: string };
    /** What its stacks were deployed with. */
    readonly deployedWith: Readonly<Record<string, string>>;
  }
}

/**
 * A local AWS that waits as AWS does, all settings as they come, and that makes two calls at once. Few batches run on it, so
 * it is the one that posts their events: elsewhere these would be thousands.
 */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  const eventReceiver = { port: await freePort(), secretName: 'merchant/events' };
  project.provide('eventReceiver', eventReceiver);
  const eventWebhook = {
    url: `http://127.0.0.1:${eventReceiver.port}/events`,
    secretName: eventReceiver.secretName,
    waitsSeconds: [2, 2],
  };
  const settings = { submitsAtOnce: '2', eventWebhook: JSON.stringify(eventWebhook) };
  project.provide('deployedWith', settings);
  return provideLocalAws(project, { waitScale: 1, settings });
};
