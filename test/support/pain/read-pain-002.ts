import { SaxesParser } from 'saxes';

/** An element of a parsed document: its name, its text, and its child elements. */
export interface Read {
  readonly name: string;
  text: string;
  readonly inside: Read[];
}

/** A document as a tree. Throws when it is not well-formed. */
export const readXml = (xml: string): { readonly root: Read; readonly namespace: string } => {
  const parser = new SaxesParser({ xmlns: true });
  const top: Read = { name: '', text: '', inside: [] };
  const open = [top];
  let namespace = '';
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ local, uri }) => {
    const element: Read = { name: local, text: '', inside: [] };
    namespace = uri;
    open.at(-1)?.inside.push(element);
    open.push(element);
  });
  parser.on('text', (text) => {
    const element = open.at(-1);
    if (element !== undefined) element.text += text;
  });
  parser.on('closetag', () => open.pop());
  parser.write(xml).close();
  const [root] = top.inside;
  if (root === undefined) throw new Error('there is no element');
  return { root, namespace };
};

/** The elements at a path of names below an element. */
export const find = (from: Read, ...path: readonly string[]): readonly Read[] =>
  path.reduce<readonly Read[]>(
    (found, name) => found.flatMap(({ inside }) => inside.filter((each) => each.name === name)),
    [from],
  );

export const textsOf = (from: Read, ...path: readonly string[]): readonly string[] =>
  find(from, ...path).map(({ text }) => text);

interface Rule {
  /** Child elements in order, with their minimum and maximum counts. */
  readonly inside?: Readonly<Record<string, readonly [least: number, most: number]>>;
  readonly oneOf?: readonly string[];
  readonly text?: RegExp;
}

const max35: Rule = { text: /^.{1,35}$/su };
const time: Rule = { text: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?$/ };
const count: Rule = { text: /^\d{1,15}$/ };
const many = Number.POSITIVE_INFINITY;

/** The parts of the schemas pain.002.001.10 and .03 that we write, by element name. */
const rulesOf = (isNew: boolean): Readonly<Record<string, Rule>> => ({
  Document: { inside: { CstmrPmtStsRpt: [1, 1] } },
  CstmrPmtStsRpt: { inside: { GrpHdr: [1, 1], OrgnlGrpInfAndSts: [1, 1], OrgnlPmtInfAndSts: [0, many] } },
  GrpHdr: { inside: { MsgId: [1, 1], CreDtTm: [1, 1] } },
  OrgnlGrpInfAndSts: {
    inside: {
      OrgnlMsgId: [1, 1],
      OrgnlMsgNmId: [1, 1],
      OrgnlCreDtTm: [0, 1],
      OrgnlNbOfTxs: [0, 1],
      OrgnlCtrlSum: [0, 1],
      GrpSts: [0, 1],
      StsRsnInf: [0, many],
      NbOfTxsPerSts: [0, many],
    },
  },
  OrgnlPmtInfAndSts: {
    inside: { OrgnlPmtInfId: [1, 1], PmtInfSts: [0, 1], NbOfTxsPerSts: [0, many], TxInfAndSts: [0, many] },
  },
  TxInfAndSts: {
    inside: {
      OrgnlInstrId: [0, 1],
      OrgnlEndToEndId: [0, 1],
      ...(isNew ? { OrgnlUETR: [0, 1] as const } : {}),
      TxSts: [0, 1],
      StsRsnInf: [0, many],
    },
  },
  StsRsnInf: { inside: { Rsn: [0, 1], AddtlInf: [0, many] } },
  Rsn: { oneOf: ['Cd', 'Prtry'] },
  NbOfTxsPerSts: { inside: { DtldNbOfTxs: [1, 1], DtldSts: [1, 1] } },
  MsgId: max35,
  CreDtTm: time,
  OrgnlMsgId: max35,
  OrgnlMsgNmId: max35,
  OrgnlCreDtTm: time,
  OrgnlNbOfTxs: count,
  OrgnlCtrlSum: { text: /^[+-]?(?=.*\d)\d*\.?\d*$/ },
  GrpSts: { text: /^(ACTC|RCVD|PART|RJCT|PDNG|ACCP|ACSP|ACSC|ACWC)$/ },
  PmtInfSts: { text: /^(ACTC|RCVD|PART|RJCT|PDNG|ACCP|ACSP|ACSC|ACWC)$/ },
  TxSts: { text: /^(ACTC|RJCT|PDNG|ACCP|ACSP|ACSC|ACWC)$/ },
  DtldSts: { text: /^(ACTC|RJCT|PDNG|ACCP|ACSP|ACSC|ACWC)$/ },
  DtldNbOfTxs: count,
  OrgnlPmtInfId: max35,
  OrgnlInstrId: max35,
  OrgnlEndToEndId: max35,
  OrgnlUETR: { text: /^[a-f0-9-]{36}$/ },
  Cd: { text: /^[A-Z0-9]{1,4}$/ },
  Prtry: max35,
  AddtlInf: { text: /^.{1,105}$/su },
});

/** The differences between a document and the schema of its namespace. Empty when it is valid. */
export const differencesOf = (xml: string): readonly string[] => {
  const { root, namespace } = readXml(xml);
  const version = /^urn:iso:std:iso:20022:tech:xsd:pain\.002\.001\.(03|10)$/.exec(namespace)?.[1];
  if (version === undefined) return [`the namespace ${namespace}`];
  const rules = rulesOf(version === '10');
  const differing: string[] = [];
  const check = (element: Read): void => {
    const rule = rules[element.name];
    if (rule === undefined) differing.push(`${element.name} is not known`);
    else differing.push(...textDifferences(element, rule), ...insideDifferences(element, rule));
    element.inside.forEach(check);
  };
  check(root);
  return differing;
};

const textDifferences = ({ name, text, inside }: Read, rule: Rule): readonly string[] => {
  if (rule.text === undefined) return text.trim() === '' ? [] : [`text in ${name}`];
  return rule.text.test(text) && inside.length === 0 ? [] : [`${name}: "${text}"`];
};

const insideDifferences = ({ name, inside }: Read, { oneOf, inside: rules }: Rule): readonly string[] => {
  if (oneOf !== undefined)
    return inside.length === 1 && oneOf.includes(inside[0]?.name ?? '') ? [] : [`the choice in ${name}`];
  if (rules === undefined) return [];
  const order = Object.keys(rules);
  const places = inside.map((each) => order.indexOf(each.name));
  const isInOrder = places.every((place, n) => place >= 0 && place >= (places[n - 1] ?? 0));
  const counted = Object.entries(rules).flatMap(([child, [least, most]]) => {
    const found = inside.filter((each) => each.name === child).length;
    return found < least || found > most ? [`${found} ${child} in ${name}`] : [];
  });
  return isInOrder ? counted : [`the order in ${name}`, ...counted];
};
