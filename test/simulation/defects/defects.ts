/** One text of the product put in place of another when the file is loaded. */
export interface Substitution {
  /** Path from the repository's root. */
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly find: string;
  readonly put: string;
}

/** A mistake that somebody could make, by which the simulation shows that it would be found. */
export interface Defect {
  readonly name: string;
  readonly substitutions: readonly Substitution[];
}

const defect = (
  name: string,
  ...substitutions: readonly (readonly [file: string, find: string, put: string])[]
): Defect => ({
  name,
  substitutions: substitutions.map(([file, find, put]) => ({ file: `functions/${file}`, find, put })),
});

const notAsked = "absent('notAsked')";

/** Each breaks one promise of functions/steps/README.md. Kept apart from the product: none of it is a switch in there. */
export const defects: readonly Defect[] = [
  defect('the claim is dropped', [
    'steps/submit-chunk.ts',
    "if (claim.kind !== 'claimed') return { kind: 'delayed' };",
    '',
  ]),
  defect(
    'a claim is a lease that expires',
    [
      'steps/submit-chunk.ts',
      'decideNextCall(await ledger.readChunk(batchId, chunk), dependencies.settings.payoutsPerCall)',
      `await (async () => {
      const read = await ledger.readChunk(batchId, chunk);
      const isFree = (payout) => payout.status === 'submitting' && dependencies.clock() - Date.parse(payout.updatedAt) > 10_000;
      const payouts = read.payouts.map((payout) => (isFree(payout) ? { ...payout, status: 'ready' } : payout));
      return decideNextCall({ ...read, payouts }, dependencies.settings.payoutsPerCall);
    })()`,
    ],
    [
      'domain/payout-lifecycle.ts',
      "claim: transition('claim', ['ready'], 'submitting')",
      "claim: transition('claim', ['ready', 'submitting'], 'submitting')",
    ],
  ),
  defect('every invocation claims by the same id', [
    'steps/submit-chunk.ts',
    'const claimId = ids.unique();',
    'const claimId = `${batchId}-${chunk}-${k}`;',
  ]),
  defect('the POST is retried', [
    'provider/transport.ts',
    ': http.requestOnce(request);',
    ": http.requestOnce(request).then((outcome) => (outcome.kind === 'unknown' ? http.requestOnce(request) : outcome));",
  ]),
  defect('5xx is a rejection', [
    'provider/refusal.ts',
    "case 'unknown':\n      return answer;",
    "case 'unknown':\n      if (answer.cause.startsWith('status_5')) return { kind: 'rejected', message: 'refused' };\n      return answer;",
  ]),
  defect('a reset was never sent', [
    'provider/refusal.ts',
    "case 'unknown':\n      return answer;",
    "case 'unknown':\n      if (answer.cause === 'connection_reset') return { kind: 'not_sent', cause: 'reset' };\n      return answer;",
  ]),
  defect('an unknown call is given back', ['steps/settle-call.ts', "payouts, 'loseSight')", "payouts, 'release')"]),
  defect('items missing from the answer are rejected', [
    'steps/settle-call.ts',
    'payout, payoutTransitions.loseSight,',
    'payout, payoutTransitions.reject,',
  ]),
  defect(
    'a gateway’s 404 is absence',
    [
      'provider/service-answer.ts',
      'if (status === 401 || status === 403) return',
      'if (status === 404 || status === 401 || status === 403) return',
    ],
    [
      'provider/disbursement-reads.ts',
      'answer.statusCode === 404 && saysAbsent(answer.message)',
      'answer.statusCode === 404',
    ],
  ),
  defect('one absence is proof', [
    'steps/resolve-payouts.ts',
    "(outcome?.kind === 'rejected' ? 1 : 3)",
    "(outcome?.kind === 'rejected' ? 1 : 1)",
  ]),
  defect('crypto is submitted again', [
    'steps/resolve-payouts.ts',
    "(payout.rail === 'fiat' && settings.fiatReferenceUnique)",
    'settings.fiatReferenceUnique',
  ]),
  defect('what is found is adopted without comparing', [
    'domain/observe-payout.ts',
    'const contradiction = findContradiction(payout, disbursement);',
    'const contradiction = findContradiction(payout, disbursement) === undefined ? undefined : undefined;',
  ]),
  defect('a late writer downgrades', ['ledger/payouts.ts', "oneOf('status', transition.from)", notAsked]),
  defect(
    'an end is overwritten',
    ['domain/payout-lifecycle.ts', 'if (isEnd(current))', 'if (false)'],
    [
      'domain/payout-lifecycle.ts',
      "const beforeAnEnd = ['submitting',",
      "const beforeAnEnd = ['completed', 'failed', 'canceled', 'submitting',",
    ],
  ),
  defect('what contradicts an end is not recorded', [
    'domain/contradiction.ts',
    'attempt <= attempts && !isRecorded(current, found)',
    'attempt < 1 && !isRecorded(current, found)',
  ]),
  defect('`submitting` is never looked up', [
    'steps/resolve-payouts.ts',
    "(payout) => payout.call === k && (payout.status === 'submitting' || payout.status === 'unknown'),",
    "(payout) => payout.call === k && payout.status === 'unknown',",
  ]),
  defect(
    'a webhook is believed',
    [
      'webhooks/hand-on.ts',
      'receivedAt: receivedAt.S, candidates }',
      'receivedAt: receivedAt.S, candidates: [...candidates, `says:${JSON.parse(body.S).status}`] }',
    ],
    [
      'webhooks/apply-hint.ts',
      'const disbursement = await askProvider(provider, payout);',
      `const asked = await askProvider(provider, payout);
  const said = hint.candidates.find((candidate) => candidate.startsWith('says:'));
  const disbursement = asked && said ? { ...asked, status: said.slice('says:'.length) } : asked;`,
    ],
  ),
  defect(
    'every webhook counts',
    [
      'webhooks/apply-hint.ts',
      'if (changed) await ledger.refreshChunk(payout.batchId, payout.chunk);',
      'await ledger.refreshChunk(payout.batchId, payout.chunk, observed.status);',
    ],
    [
      'ledger/chunks.ts',
      'async (batchId, chunk) => {\n    const key = keys.chunk(batchId, chunk);',
      'async (batchId, chunk, counted) => {\n    const key = keys.chunk(batchId, chunk);',
    ],
    [
      'ledger/chunks.ts',
      'const after: ChunkRecord = { ...before, ...addUp(payouts) };',
      `const after = { ...before, ...addUp(payouts) };
      if (counted !== undefined) {
        const tally = before.tallies[counted] ?? { count: 0, amount: '0', fee: '0' };
        Object.assign(after, before, { tallies: { ...before.tallies, [counted]: { ...tally, count: tally.count + 1 } } });
      }`,
    ],
  ),
  defect('a reference may be taken twice', [
    'ledger/registration.ts',
    `condition: or(
      absent('pk'),
      and(equals('batchId', payout.batchId), equals('chunk', payout.chunk), equals('row', payout.row)),
    ),`,
    `condition: or(absent('pk'), ${notAsked}),`,
  ]),
  defect('nothing is set aside', [
    'steps/plan-funding.ts',
    'if (!(await ledger.reserve(batchId, funds, decision.reservations)))',
    'if (funds === undefined)',
  ]),
  defect('what is set aside is released when the batch begins', [
    'steps/plan-funding.ts',
    "return moved.kind === 'moved'",
    "const now = await ledger.readFunds(currenciesOf(batch, settings));\n  await ledger.reserve(batchId, reservedFor(batchId, now), new Map());\n  return moved.kind === 'moved'",
  ]),
  defect('what is set aside stays when the batch ends', [
    'steps/report-batch.ts',
    'await releaseReservation(ledger, batch, settings);',
    '',
  ]),
  defect(
    'a conversion in doubt is made again',
    ['steps/convert.ts', 'if (inDoubt !== undefined)', 'if (inDoubt !== undefined && inDoubt.n === 0)'],
    ['domain/conversion-lock.ts', ': string => `${batchId}#${n}`;', ": string => `${batchId}#${n > 0 ? 'any' : ''}`;"],
  ),
  defect(
    'a conversion needs no lock',
    [
      'steps/convert.ts',
      'if (!(await ledger.lockPair(inputCurrency, outputCurrency, holder)))',
      'if (holder === undefined)',
    ],
    ['ledger/conversions.ts', "condition: equals('holder', lockHolder(batchId, n)),", "condition: absent('notAsked'),"],
  ),
  defect('a conversion happened when money arrived', [
    'domain/conversion-inference.ts',
    'if (compareAmounts(left, observed.inputAmount) === 0 && compareAmounts(arrived, observed.outputAmount) === 0)',
    "if (compareAmounts(arrived, '0') > 0)",
  ]),
  defect('a paused batch claims on', [
    'ledger/calls.ts',
    "batchMayCall(['processing'])",
    "batchMayCall(['processing', 'paused'])",
  ]),
  defect(
    'a canceled batch claims on',
    ['ledger/batch-may-call.ts', "absent('cancelRequestedAt')", notAsked],
    [
      'domain/chunk-progress.ts',
      "if (batch.cancelRequestedAt !== undefined || batch.status === 'canceled') return 'canceled';",
      "if (batch.status === 'canceled') return 'canceled';",
    ],
  ),
  defect('resuming always starts another execution', [
    'api/control/ensure-execution.ts',
    "(await startLatest(dependencies, batch)) === 'over'",
    "(await startLatest(dependencies, batch)) !== 'started'",
  ]),
  defect('absences are counted seconds apart', [
    'steps/resolve-payouts.ts',
    'if (isCountedJustNow(payout, dependencies)) return;',
    '',
  ]),
  defect('a late step moves what another call claimed', [
    'ledger/payouts.ts',
    '...(of.call === undefined ? [] : [claimedLastBy(of.call)])',
    '...[]',
  ]),
  defect('a chunk interrupted while it registered is resolved', [
    'steps/resolve-chunk.ts',
    'if (calls.length === 0)',
    'if (payouts.length === 0)',
  ]),
  // Nor is what a conversion takes held against what is set aside: that alone keeps it from taking more.
  defect(
    'slippage is not set aside',
    ['domain/funding.ts', "compareAmounts(maxSlippagePercent, '100') >= 0", 'true'],
    [
      'steps/convert.ts',
      'if (!takesTooMuch(planned, quote, maxSlippagePercent)) return undefined;',
      'return undefined;',
    ],
  ),
  defect('every webhook asks', [
    'ledger/webhooks.ts',
    "or(absent('askedAt'), atMost('askedAt', later(askedAt, -windowSeconds))),",
    '',
  ]),
  defect('the watch does not ask whether an execution runs', [
    'watch/watch-batches.ts',
    "if (state === 'running' || (state === 'absent' && (await mayBeStarting(dependencies, asked)))) return false;",
    '',
  ]),
  defect('the watch looks at no execution', [
    'watch/watch-batches.ts',
    'if (!lacksEnd(asked)) return false;',
    'if (asked.batchId !== undefined) return false;',
  ]),
  defect('the watch leaves locks alone', [
    'watch/watch-batches.ts',
    "if (lock.state === 'idle') log.warn(",
    "if (lock.holder === 'nobody') log.warn(",
  ]),
];
