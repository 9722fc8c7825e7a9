import type { TestProject } from 'vitest/node';
import { freePort } from '../servers/free-port.ts';
import { provideLocalAws } from './local-aws.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Receives every event once a test listens there and has created the secret. */
    readonly eventReceiver: { readonly port: number; readonly secretName: string };
    /** The stacks' deployment parameters. */
    readonly deployedWith: Readonly<Record<string, string>>;
  }
}

/**
 * A local AWS that waits as long as AWS does, with default settings and two concurrent calls. Few batches run on it, so this one
 * posts their events: elsewhere these would be thousands.
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
