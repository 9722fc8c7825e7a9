import * as z from 'zod';
import { schemaByType } from '../../domain/events/cloud-event.ts';

/** The JSON Schema of all events, each type under its name, as it is committed. */
export const eventSchemasText = (): string => {
  const definitions = [...schemaByType()].map(([type, schema]) => {
    const { $schema: _dialect, ...definition } = z.toJSONSchema(schema);
    return [type, definition] as const;
  });
  const document = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Events of the payout orchestrator',
    description:
      'What the event bus, GET /batches/{batchId}/events and the webhook tell. Made from functions/domain/events.',
    oneOf: definitions.map(([type]) => ({ $ref: `#/$defs/${type}` })),
    $defs: Object.fromEntries(definitions),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
};
