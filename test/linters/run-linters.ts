import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CloudFormationStackArtifact } from 'aws-cdk-lib/cx-api';
import * as z from 'zod';
import type { PythonPackages, PythonProgram } from '../../infra/local/python-packages.ts';
import { installedPackages } from '../../infra/local/python-packages.ts';
import { tryProgram } from '../../infra/local/run-program.ts';
import type { Exception } from './exceptions.ts';
import { policiesOf } from './policies.ts';

export interface Finding extends Pick<Exception, 'linter' | 'rule'> {
  readonly text: string;
}

/** Installed separately, because the only cfn-lint that pip can install beside parliament is years old. */
const linters = {
  'cfn-lint': { folder: 'cfn-lint', what: 'cfn-lint', requirements: new URL('cfn-lint.txt', import.meta.url) },
  parliament: { folder: 'parliament', what: 'parliament', requirements: new URL('parliament.txt', import.meta.url) },
} as const satisfies Readonly<Record<Exception['linter'], PythonPackages>>;

/** Returns the linter, and first installs it unless it is installed. */
export const installedLinter = (linter: Exception['linter']): Promise<PythonProgram> =>
  installedPackages(linters[linter], (line) => process.stdout.write(`${line}\n`));

/**
 * Runs a linter and returns the JSON that it writes to the given file, apart from its warnings. Its exit code is ignored, because
 * it only says that there are findings.
 */
const answerOf = async (
  { python, environment }: PythonProgram,
  parameters: (answer: string, folder: string) => Promise<readonly string[]> | readonly string[],
): Promise<unknown> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'linted-'));
  try {
    const answer = path.join(folder, 'answer.json');
    const { output } = await tryProgram(python, await parameters(answer, folder), { environment });
    return JSON.parse(await readFile(answer, 'utf8').catch(() => Promise.reject(new Error(output))));
  } finally {
    await rm(folder, { recursive: true });
  }
};

const templateFindings = z.array(
  z.object({
    Rule: z.object({ Id: z.string() }),
    Message: z.string(),
    Location: z.object({ Path: z.array(z.union([z.string(), z.number()])).nullable() }),
  }),
);

/** Returns cfn-lint's findings in a stack's template. */
export const lintTemplate = async (stack: CloudFormationStackArtifact): Promise<readonly Finding[]> => {
  const answered = await answerOf(await installedLinter('cfn-lint'), (answer) => [
    ...['-c', 'from cfnlint.runner import main; main()', '--format', 'json', '--output-file', answer],
    ...['--regions', 'us-east-1', '--template', stack.templateFullPath],
  ]);
  return templateFindings.parse(answered).map((found) => ({
    linter: 'cfn-lint',
    rule: found.Rule.Id,
    text: `${(found.Location.Path ?? []).join('/')}: ${found.Message}`,
  }));
};

/** Also counts the statements that parliament read. Otherwise an unreadable policy would look like one without findings. */
const analyze = `
import json, sys
from parliament import analyze_policy_string
out = []
for name, text in json.load(open(sys.argv[1])).items():
    policy = analyze_policy_string(text)
    out.append({'name': name, 'statements': len(policy.statements), 'findings': [
        {'rule': f.issue, 'text': json.dumps([f.detail, f.location], default=str)}
        for f in policy.findings]})
json.dump(out, open(sys.argv[2], 'w'))
`;

const analyzed = z.array(
  z.object({
    name: z.string(),
    statements: z.int().positive(),
    findings: z.array(z.object({ rule: z.string(), text: z.string() })),
  }),
);

/** Returns parliament's findings in the policies of a template's roles. */
export const lintPolicies = async (template: unknown): Promise<readonly Finding[]> => {
  const policies = policiesOf(template);
  const answered = await answerOf(await installedLinter('parliament'), async (answer, folder) => {
    const file = path.join(folder, 'policies.json');
    await writeFile(file, JSON.stringify(Object.fromEntries(policies)));
    return ['-c', analyze, file, answer];
  });
  const results = analyzed.parse(answered);
  if (results.length !== policies.size) throw new Error('parliament skipped some policies');
  return results.flatMap(({ name, findings }) =>
    findings.map(({ rule, text }) => ({ linter: 'parliament', rule, text: `${name}: ${text}` })),
  );
};
