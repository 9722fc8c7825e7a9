import * as z from 'zod';
import { schemaByType } from '../../domain/events/cloud-event.ts';

/** The committed JSON Schema document of all events, with each type under its name. */
export const eventSchemasText = (): string => {
  const definitions = [...schemaByType()].map(([type, schema]) => {
    const { $schema: _dialect, ...definition } = z.toJSONSchema(schema);
    return [type, definition] as const;
  });
  const document = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Events of the payout orchestrator',
    description:
      'Events on the event bus, in GET /batches/{batchId}/events and in webhooks. Generated from functions/domain/events.',
    oneOf: definitions.map(([type]) => ({ $ref: `#/$defs/${type}` })),
    $defs: Object.fromEntries(definitions),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
};
