/** What is read here of a node of the syntax tree and of what holds it. */
interface Path {
  readonly node: {
    readonly type: string;
    readonly value?: string;
    readonly quasis?: readonly { readonly value: { readonly raw: string } }[];
  };
  readonly parentPath: Path | null;
}

const textOf = ({ type, value, quasis }: Path['node']): string | undefined =>
  type === 'StringLiteral' ? value : quasis?.map((part) => part.value.raw).join('…');

/** Leaves sentences, which have three words in a row, and the text of a thrown error: people read them, no code does. */
const shouldIgnore = ({ node, parentPath: holder }: Path): string | undefined => {
  const text = textOf(node);
  const isThrown = holder?.node.type === 'NewExpression' && holder.parentPath?.node.type === 'ThrowStatement';
  return text !== undefined && (isThrown || /[a-z]+ [a-z]+ [a-z]+/i.test(text)) ? 'words of a message' : undefined;
};

export const strykerPlugins = [{ kind: 'Ignore', name: 'message-words', value: { shouldIgnore } }];
