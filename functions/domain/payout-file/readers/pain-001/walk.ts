import type { SaxesTagNS } from 'saxes';
import type { XmlHandlers } from '../parse-xml.ts';
import type { Child, Group, Leaf, Mark, Part, TextName } from './schema.ts';

/** Callbacks for the reader, in the order of the file. */
interface Walked {
  /** An element with this mark begins. */
  readonly begin: (mark: Mark) => void;
  /** The text of an element, if it is valid, or its currency. */
  readonly take: (name: TextName, text: string) => void;
  readonly end: (mark: Mark) => void;
  /** Something differs from the schema. The message names elements and contains no value. */
  readonly differ: (message: string) => void;
}

/** No valid element is longer. The rest of its text is dropped. */
const maxText = 4096;

/** A name from the file, made safe for a message. */
const shown = (name: string): string => (/^[A-Za-z0-9_-]{1,40}$/.test(name) ? name : 'an element of another name');

/** An element that has begun. Position and repetitions are its last child's. `found` has the bits of the required ones so far. */
const opened = (name: string, part: Part) => ({
  name,
  part,
  lastPosition: -1,
  repetitions: 0,
  found: 0,
  text: '',
  currency: '',
});
type OpenElement = ReturnType<typeof opened>;

/** Walks a document along its schema. Reports each element that is not in the schema, and ignores its content. */
export const walkBy = (
  schema: Group,
  namespace: string,
  { begin, take, end, differ }: Walked,
): XmlHandlers<SaxesTagNS> => {
  const openElements: OpenElement[] = [];

  const childOf = (parent: OpenElement, { local: name, uri }: SaxesTagNS): Child | undefined => {
    if (parent.part.kind === 'anything') return undefined;
    if (uri !== namespace) {
      differ(`${shown(name)} in ${parent.name} has another namespace.`);
      return undefined;
    }
    if (parent.part.kind === 'leaf') {
      differ(`${parent.name} may have text only, and has ${shown(name)}.`);
      return undefined;
    }
    const child = parent.part.children.get(name);
    if (child === undefined) differ(`${shown(name)} does not belong in ${parent.name}.`);
    return child;
  };

  const checkOrder = (parent: OpenElement, name: string, child: Child): void => {
    const isChoice = parent.part.kind === 'group' && parent.part.isChoice;
    if (child.position < parent.lastPosition) differ(`${name} comes too late in ${parent.name}.`);
    else if (child.position > parent.lastPosition) parent.repetitions = 0;
    parent.lastPosition = Math.max(parent.lastPosition, child.position);
    parent.repetitions++;
    parent.found |= child.bit;
    if (parent.repetitions === child.most + 1)
      differ(isChoice ? `${parent.name} has more than one element.` : `${name} occurs too often in ${parent.name}.`);
  };

  const readAttributes = (element: OpenElement, isAmount: boolean, attributes: SaxesTagNS['attributes']): void => {
    const own = Object.values(attributes).filter(({ uri, local }) => uri === '' && local !== 'xmlns');
    for (const { local } of own)
      if (!isAmount || local !== 'Ccy') differ(`${element.name} may not have the attribute ${shown(local)}.`);
    if (!isAmount) return;
    element.currency = own.find(({ local }) => local === 'Ccy')?.value ?? '';
    if (!/^[A-Z]{3}$/.test(element.currency)) differ(`Ccy of ${element.name} must be three capital letters.`);
  };

  const endLeaf = ({ name, text, currency }: OpenElement, { isValid, says, as }: Leaf): void => {
    if (!isValid(text)) differ(`${name} must be ${says}.`);
    else if (as !== undefined) take(as, text);
    if (as === 'amount' && isValid(text)) take('currency', currency);
  };

  const endGroup = ({ name, found }: OpenElement, { children, needed, isChoice, mark }: Group): void => {
    if ((found & needed) !== needed) {
      const missing = [...children].filter(([, { bit }]) => bit !== 0 && (found & bit) === 0);
      differ(`${name} has ${isChoice ? 'none of' : 'no'} ${missing.map(([child]) => child).join(', ')}.`);
    }
    if (mark !== undefined) end(mark);
  };

  return {
    open: (tag) => {
      const parent = openElements.at(-1);
      const child = parent && childOf(parent, tag);
      const part: Part = parent === undefined ? schema : (child?.part ?? { kind: 'anything' });
      const element = opened(tag.local, part);
      openElements.push(element);
      if (parent === undefined || child === undefined) return;
      checkOrder(parent, tag.local, child);
      if (part.kind === 'anything') return;
      readAttributes(element, part.kind === 'leaf' && part.isAmount === true, tag.attributes);
      if (part.kind === 'group' && part.mark !== undefined) begin(part.mark);
    },
    text: (text) => {
      const element = openElements.at(-1);
      if (element?.part.kind === 'leaf') element.text += text.slice(0, maxText - element.text.length);
      else if (element?.part.kind === 'group' && text.trim() !== '')
        differ(`${element.name} has text outside of its elements.`);
    },
    close: () => {
      const element = openElements.pop();
      if (element?.part.kind === 'leaf') endLeaf(element, element.part);
      else if (element?.part.kind === 'group') endGroup(element, element.part);
    },
  };
};
