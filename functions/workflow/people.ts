import type { SNSClient } from '@aws-sdk/client-sns';
import { PublishCommand } from '@aws-sdk/client-sns';
import type { People } from '../ports/people.ts';

/** Sends notices to the topic that people subscribe to. */
export const createPeople = (client: SNSClient, topicArn: string): People => ({
  notify: async ({ subject, message }) => {
    await client.send(new PublishCommand({ TopicArn: topicArn, Subject: subject, Message: message }));
  },
});
