import * as z from 'zod';
import { cloudEvent } from '../../domain/events/cloud-event.ts';
import { text } from './text.ts';

const event = cloudEvent().meta({
  id: 'Event',
  description: 'A CloudEvent, as the stack’s bus and the merchant’s webhook receive it. Its type determines its data.',
});

export const eventPage = z
  .strictObject({
    events: z.array(event),
    last: text(
      'The batch’s highest sequence number so far. There are more events while it is higher than that of the last event.',
      '0000003',
    ),
  })
  .meta({ id: 'EventPage', description: 'Events of a batch in their order.' });
