import type { Child, Group, Leaf, Mark, TextName } from './schema.ts';
import type { XmlEvent } from './xml-events.ts';

/** Callbacks for the reader, in the order of the file. */
interface Walked {
  /** An element with this mark begins. */
  readonly begin: (mark: Mark, line: number) => void;
  /** The text of an element, if it is valid. */
  readonly take: (name: TextName, text: string, currency: string) => void;
  readonly end: (mark: Mark) => void;
  /** Something differs from the schema. The message names elements and contains no value. */
  readonly differ: (message: string, line: number) => void;
}

interface Place {
  readonly name: string;
  readonly part: Leaf | Group;
  /** Position of the last child. */
  place: number;
  count: number;
  /** Bits of the required children found so far. */
  found: number;
  text: string;
  currency: string;
}

/** No valid element is longer. The rest of its text is dropped. */
const maxText = 4096;

/** A name from the file, made safe for a message. */
const shown = (name: string): string => (/^[A-Za-z0-9_-]{1,40}$/.test(name) ? name : 'an element of another name');

const placeOf = (name: string, part: Place['part']): Place => {
  const nothing = { place: -1, count: 0, found: 0, text: '', currency: '' };
  return { name, part, ...nothing };
};

/** Walks a document along its schema. Reports each element that is not in the schema, and skips it with its content. */
export const walkBy = (schema: Group, namespace: string, walked: Walked): ((event: XmlEvent) => void) => {
  const places: Place[] = [];
  /** Line of the last opening tag. */
  let line = 0;
  const differ = (message: string): void => walked.differ(message, line);
  /** Depth of open elements within a skipped one, itself included. */
  let passed = 0;

  const childOf = (parent: Place, name: string): Child | undefined => {
    if (parent.part.kind === 'leaf') {
      differ(`${parent.name} may have text only, and has ${shown(name)}.`);
      return undefined;
    }
    const child = parent.part.children.get(name);
    if (child === undefined) differ(`${shown(name)} does not belong in ${parent.name}.`);
    return child;
  };

  const open = (event: Extract<XmlEvent, { kind: 'open' }>): void => {
    line = event.line;
    const parent = places.at(-1);
    if (passed > 0 || parent === undefined) {
      if (passed > 0) passed++;
      else places.push(placeOf(event.name, schema));
      return;
    }
    const child = event.namespace === namespace ? childOf(parent, event.name) : undefined;
    if (event.namespace !== namespace) differ(`${shown(event.name)} in ${parent.name} has another namespace.`);
    if (child === undefined || child.part === 'anything') passed = 1;
    if (child === undefined) return;
    count(parent, event.name, child);
    if (child.part === 'anything') return;
    const place = placeOf(event.name, child.part);
    readAttributes(place, event.attributes);
    places.push(place);
    if (child.part.kind === 'group' && child.part.mark !== undefined) walked.begin(child.part.mark, event.line);
  };

  const count = (parent: Place, name: string, child: Child): void => {
    const isChoice = parent.part.kind === 'group' && parent.part.isChoice;
    if (child.place < parent.place) differ(`${name} comes too late in ${parent.name}.`);
    else if (child.place > parent.place) parent.count = 0;
    parent.place = Math.max(parent.place, child.place);
    parent.count++;
    parent.found |= child.bit;
    if (parent.count === child.most + 1)
      differ(isChoice ? `${parent.name} has more than one element.` : `${name} occurs too often in ${parent.name}.`);
  };

  const readAttributes = (place: Place, attributes: ReadonlyMap<string, string>): void => {
    const isAmount = place.part.kind === 'leaf' && place.part.isAmount === true;
    for (const name of attributes.keys())
      if (!isAmount || name !== 'Ccy') differ(`${place.name} may not have the attribute ${shown(name)}.`);
    if (!isAmount) return;
    place.currency = attributes.get('Ccy') ?? '';
    if (!/^[A-Z]{3}$/.test(place.currency)) differ(`Ccy of ${place.name} must be three capital letters.`);
  };

  const close = (): void => {
    if (passed > 0) {
      passed--;
      return;
    }
    const place = places.pop();
    if (place === undefined) return;
    if (place.part.kind === 'leaf') endLeaf(place, place.part);
    else endGroup(place, place.part);
  };

  const endLeaf = ({ name, text, currency }: Place, { isValid, says, as }: Leaf): void => {
    if (!isValid(text)) differ(`${name} must be ${says}.`);
    else if (as !== undefined) walked.take(as, text, currency);
  };

  const endGroup = ({ name, found }: Place, { children, needed, isChoice, mark }: Group): void => {
    if (isChoice && found === 0) differ(`${name} has none of ${[...children.keys()].join(', ')}.`);
    if (!isChoice && (found & needed) !== needed) {
      const missing = [...children].filter(([, { bit }]) => bit !== 0 && (found & bit) === 0);
      differ(`${name} has no ${missing.map(([child]) => child).join(', ')}.`);
    }
    if (mark !== undefined) walked.end(mark);
  };

  const takeText = (text: string): void => {
    const place = places.at(-1);
    if (passed > 0 || place === undefined) return;
    if (place.part.kind === 'leaf') place.text += text.slice(0, maxText - place.text.length);
    else if (text.trim() !== '') differ(`${place.name} has text outside of its elements.`);
  };

  return (event) => {
    if (event.kind === 'open') open(event);
    else if (event.kind === 'close') close();
    else takeText(event.text);
  };
};
