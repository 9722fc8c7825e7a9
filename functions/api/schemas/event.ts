import * as z from 'zod';
import { cloudEvent } from '../../domain/events/cloud-event.ts';

const event = cloudEvent().meta({
  id: 'Event',
  description: 'A CloudEvent, as the stack’s bus and the merchant’s webhook get it. Its type tells which data it has.',
});

export const eventPage = z
  .strictObject({
    events: z.array(event),
    last: z.string().meta({
      description: 'The batch’s last number so far: there are more events while it is higher than theirs.',
      example: '0000003',
    }),
  })
  .meta({ id: 'EventPage', description: 'Events of a batch in their order.' });
export type EventPage = z.infer<typeof eventPage>;
