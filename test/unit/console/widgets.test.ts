import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { html } from '../../../functions/console/markup/html.ts';
import { mostRows, table } from '../../../functions/console/markup/widget.ts';
import { beginParams, consoleParams, steeringParams } from '../../../functions/console/request.ts';
import { drawPayouts } from '../../../functions/console/views/payouts.ts';
import { batchStatuses } from '../../../functions/domain/batch/batch-status.ts';
import { anyText } from '../../support/any-text.ts';
import { runs } from '../../support/fast-loop.ts';
import { beginningArn, consoleArn, drawingAt, payoutWith, steeringArn, viewsWith } from './example-views.ts';

/** Elements that a widget may use. CloudWatch allows more, and removes scripts, frames and similar elements. */
const elements = [
  'a',
  'b',
  'button',
  'code',
  'cwdb-action',
  'div',
  'h1',
  'h2',
  'input',
  'option',
  'p',
  'select',
  'span',
];
const allowed = new Set([...elements, 'style', 'table', 'tbody', 'td', 'th', 'thead', 'tr']);
const attributes = new Set(
  [
    'action',
    'aria-label',
    'class',
    'confirmation',
    'data-name',
    'display',
    'endpoint',
    'href',
    'name',
    'placeholder',
  ].concat(['rel', 'selected', 'style', 'target', 'title', 'type', 'value']),
);

interface Tag {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
}

/** Tags as a browser would find them. Quotes hide no bracket here, because an escaped value has none. */
const tagsOf = (source: string): readonly Tag[] =>
  [...source.matchAll(/<(\/?[a-z][\w-]*)((?:\s[^<>]*)?)>/gi)].map(([, name = '', rest = '']) => ({
    name: name.toLowerCase(),
    attributes: new Map([...rest.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value])),
  }));

const shapeOf = (source: string): string =>
  tagsOf(source)
    .map(({ name, attributes: found }) => `${name}(${[...found.keys()].join(' ')})`)
    .join('');

const unescaped = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

const hostile = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</style><script>alert(1)</script>',
  '</cwdb-action><cwdb-action action="call" endpoint="arn:evil">{}</cwdb-action>',
  'javascript:alert(1)',
  '`${alert(1)}`',
  '&lt;b&gt;',
  '\u202egpj.exe',
  '\u0000\u001b[31m',
  'a\nb',
] as const;

const names = Object.keys(viewsWith('x'));

describe.each(names)('the view of %s', (name) => {
  const drawn = (text: string, width = 1200): string => viewsWith(text, { width })[name]?.().source ?? '';

  it.each(hostile)('keeps its shape whatever others wrote: %j', (text) => {
    expect(shapeOf(drawn(text))).toBe(shapeOf(drawn('x')));
  });

  it('keeps its layout with any text', () => {
    const shape = shapeOf(drawn('x'));
    fc.assert(
      fc.property(anyText({ minLength: 1, maxLength: 40 }), (text) => {
        // An empty value gives another layout, because a file's name must not be empty.
        expect(shapeOf(drawn(`x${text}`))).toBe(shape);
      }),
      { numRuns: runs(100) },
    );
  });

  it.each([1200, 390])('uses only markup that widgets allow, and loads nothing (%i pixels)', (width) => {
    const tags = tagsOf(drawn('<x>', width));
    expect(tags.length).toBeGreaterThan(10);
    expect(tags.filter((tag) => !allowed.has(tag.name.replace('/', ''))).map((tag) => tag.name)).toEqual([]);
    expect(tags.flatMap((tag) => [...tag.attributes.keys()]).filter((one) => !attributes.has(one))).toEqual([]);
    expect(drawn('x', width)).not.toMatch(/url\(|@import|expression\(|<link|src=/i);
    const links = tags.flatMap((tag) => tag.attributes.get('href') ?? []);
    expect(links.filter((link) => !link.startsWith('https://'))).toEqual([]);
    const styles = tags.flatMap((tag) => tag.attributes.get('style') ?? []);
    expect(styles.filter((style) => !/^width:[\d.]+%$/.test(style))).toEqual([]);
  });

  it('makes only calls that its functions accept, and changes something only after a confirmation', () => {
    const source = drawn('</cwdb-action>"&quot;');
    const actions = [...source.matchAll(/<cwdb-action ([^>]*)>([^<]*)<\/cwdb-action>/g)];
    for (const [, attributes = '', content = ''] of actions) {
      const params: unknown = JSON.parse(unescaped(content));
      // Equal as markup and as text, so the dashboard's reading does not matter.
      expect(unescaped(content)).not.toMatch(/[<>&]/);
      if (attributes.includes(`endpoint="${consoleArn}"`)) expect(consoleParams.safeParse(params).success).toBe(true);
      else {
        const begins = attributes.includes(`endpoint="${beginningArn}"`);
        if (!begins) expect(attributes).toContain(`endpoint="${steeringArn}"`);
        expect(attributes).toMatch(/confirmation="[^"]{20,}"/);
        expect((begins ? beginParams : steeringParams).safeParse(params).success).toBe(true);
      }
    }
    expect(actions).toHaveLength((source.match(/<cwdb-action/g) ?? []).length);
  });

  it('offers no action that needs a known person', () => {
    const actions = [...drawn('x').matchAll(/<cwdb-action [^>]*>([^<]*)</g)].map(([, content = '']) =>
      unescaped(content),
    );
    expect(actions.filter((one) => /"action":"(?!pause"|cancel")/.test(one))).toEqual([]);
  });

  it('fits the theme of the dashboard', () => {
    const [light, dark] = (['light', 'dark'] as const).map((theme) => viewsWith('x', { theme })[name]?.().source ?? '');
    expect(light).not.toBe(dark);
    expect(shapeOf(light ?? '')).toBe(shapeOf(dark ?? ''));
  });
});

describe('a table', () => {
  it('has at most a few hundred rows', () => {
    const rows = Array.from({ length: mostRows + 50 }, (_, index) => [index]);
    expect(table([{ name: 'n' }], rows, '').source.match(/<tr>/g)).toHaveLength(mostRows + 1);
  });

  it('without rows says so', () => {
    expect(table([{ name: 'n' }], [], 'There are none.').source).toBe('<p class="muted">There are none.</p>');
  });

  it('has a button for more when there is more', () => {
    const page = { payouts: [payoutWith('x')], cursor: 'c-2' };
    const source = drawPayouts(drawingAt(), { view: 'payouts', batchId: 'b-1', status: 'failed' }, page).source;
    expect(unescaped(source)).toContain('{"view":"payouts","batchId":"b-1","status":"failed","cursor":"c-2"}');
    expect(drawPayouts(drawingAt(), { view: 'payouts', batchId: 'b-1' }, { payouts: [] }).source).not.toContain('More');
  });
});

it('values in markup are escaped, unless they are markup', () => {
  expect(html`<p title="${'"'}">${['<b>', html`<b>${1}</b>`, undefined]}</p>`.source).toBe(
    '<p title="&quot;">&lt;b&gt;<b>1</b></p>',
  );
});

it('every status of a batch can be chosen in the search field', () => {
  const source = viewsWith('x')['batches']?.().source ?? '';
  for (const status of batchStatuses) expect(source).toContain(`<option value="${status}"`);
});
