import { writeFile } from 'node:fs/promises';
import { eventSchemasText } from './document.ts';

await writeFile(new URL('events.json', import.meta.url), eventSchemasText());
console.log('functions/events/schemas/events.json is written');
