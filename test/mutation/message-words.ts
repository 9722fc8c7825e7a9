/** What is read here of a node of the syntax tree and of what holds it. */
interface Path {
  readonly node: { readonly type: string; readonly key?: { readonly name?: string } };
  readonly parentPath: Path | null;
}

const texts = ['StringLiteral', 'TemplateLiteral'];

/** Leaves the words of a thrown error and of a `message` as they are: people read them, no code does. */
const shouldIgnore = ({ node, parentPath: holder }: Path): string | undefined => {
  const isThrown = holder?.node.type === 'NewExpression' && holder.parentPath?.node.type === 'ThrowStatement';
  const isMessage = holder?.node.type === 'ObjectProperty' && holder.node.key?.name === 'message';
  return texts.includes(node.type) && (isThrown || isMessage) ? 'words of a message' : undefined;
};

export const strykerPlugins = [{ kind: 'Ignore', name: 'message-words', value: { shouldIgnore } }];
