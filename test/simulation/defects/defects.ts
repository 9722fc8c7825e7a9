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

/** Each breaks one promise of functions/steps/SUBMIT-PROTOCOL.md. Kept apart from the product: none of it is a switch in there. */
export const defects: readonly Defect[] = [
  defect('the claim is dropped', [
    'steps/submit/make-call.ts',
    "if (claim.kind !== 'claimed') return { isSent: false, contents };",
    '',
  ]),
  defect(
    'a claim is a lease that expires',
    [
      'steps/submit-chunk.ts',
      'let areJudged = false;',
      `let areJudged = false;
  const isFree = (payout) => payout.status === 'submitting' && dependencies.clock() - Date.parse(payout.updatedAt) > 10_000;
  if (contents !== undefined) contents = { ...contents, payouts: contents.payouts.map((payout) => (isFree(payout) ? { ...payout, status: 'ready' } : payout)) };`,
    ],
    [
      'domain/payout/payout-status.ts',
      "claim: { from: ['ready'], to: 'submitting' }",
      "claim: { from: ['ready', 'submitting'], to: 'submitting' }",
    ],
  ),
  defect('every invocation claims by the same id', [
    'steps/submit/make-call.ts',
    'const claimId = ids.unique();',
    'const claimId = `${batchId}-${chunk}-${k}`;',
  ]),
  defect('the POST is retried', [
    'provider/transport/transport.ts',
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
  defect('an unknown call is given back', [
    'steps/submit/record-call-answer.ts',
    'return all(() => loseSight(call));',
    'return all(() => release(call));',
  ]),
  defect('items missing from the answer are rejected', [
    'payouts/resolve.ts',
    'whileSubmitting(payoutTransitions.loseSight)',
    'whileSubmitting(payoutTransitions.reject)',
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
      'answer.statusCode === 404 && containsPhrase(dependencies.traits.words.absent, answer.message)',
      'answer.statusCode === 404',
    ],
  ),
  defect('one absence is proof', ['payouts/resolve.ts', 'const absencesNeeded = 3;', 'const absencesNeeded = 1;']),
  defect('a taken reference made nothing', [
    'payouts/resolve.ts',
    "if (outcome?.kind !== 'rejected') return false;",
    "if (outcome?.kind !== 'rejected') return false;\n  return true;",
  ]),
  defect('a gateway’s 403 made nothing', [
    'payouts/resolve.ts',
    "(outcome?.kind === 'halted' && outcome.madeNothing === true)",
    "outcome?.kind === 'halted'",
  ]),
  defect('a conversion that a gateway refused was not made', [
    'steps/convert.ts',
    "if (answer.madeNothing) await end({ status: 'rejected', reason });",
    "await end({ status: 'rejected', reason });",
  ]),
  defect('a person is believed after three proofs of absence', [
    'api/settle/prove-absence.ts',
    'const provenAt = Date.parse(since) + provider.traits.rails[rail].hiddenHours * hourMs;',
    'const provenAt = Date.parse(since) + 840_000 + 0 * provider.traits.rails[rail].hiddenHours * hourMs;',
  ]),
  defect('nobody searches by address and amount', [
    'api/settle/prove-absence.ts',
    'if (provider.traits.rails[rail].referenceUniqueHours !== 0) return undefined;',
    "if (rail === 'fiat' || rail === 'crypto') return undefined;",
  ]),
  defect('a taken reference is known by one word', [
    'provider/refusal.ts',
    '...(saysTaken(answer.message, words.taken) &&',
    '...(/must be unique/.test(answer.message) &&',
  ]),
  defect('a taken reference is known by the words that are kept', [
    'provider/refusal.ts',
    '...(saysTaken(answer.message, words.taken) &&',
    '...(saysTaken(message, words.taken) &&',
  ]),
  defect('an earlier call is forgotten when a later one is refused', [
    'payouts/resolve.ts',
    'return !mayBeMadeBy(calls, payout);',
    'return calls.length < 1_000_000;',
  ]),
  defect('a canceled batch forgets what may exist', [
    'payouts/resolve.ts',
    'if (mayBeMadeBy(calls, payout)) {',
    'if (mayBeMadeBy([], payout)) {',
  ]),
  defect('crypto is submitted again', [
    'payouts/resolve.ts',
    'const { referenceUniqueHours: hours } = rails[payout.rail];',
    'const { referenceUniqueHours: hours } = rails.fiat;',
  ]),
  defect('a reference that was unique once is so for ever', [
    'payouts/resolve.ts',
    "return hours === 'forever' ||",
    'return hours !== 0 ||',
  ]),
  defect('what went back to be submitted may be so at any time', [
    'payouts/resolve.ts',
    "if (payout.status !== 'ready' || mayBeSubmitted(payout, calls, terms, nowMs)) return undefined;",
    "if (payout.status !== 'ready' || mayBeSubmitted(payout, [], terms, nowMs)) return undefined;",
  ]),
  defect('what is found is adopted without comparing', [
    'payouts/decide.ts',
    'const difference = findDifference(payout, disbursement);',
    'const difference = findDifference(payout, disbursement) === undefined ? undefined : undefined;',
  ]),
  defect('a late writer downgrades', ['ledger/payouts/payouts.ts', "oneOf('status', transition.from)", notAsked]),
  defect(
    'an end is overwritten',
    ['domain/payout/payout-status.ts', 'if (isEnd(current))', 'if (false)'],
    [
      'domain/payout/payout-status.ts',
      "const open = payoutStatusesThat('isOpen');",
      "const open = [...payoutStatusesThat('isOpen'), 'completed', 'failed', 'canceled'];",
    ],
  ),
  defect('skipped rows are forgotten at the end', [
    'domain/report/report.ts',
    'if (allCompleted && countSkipped(plan) === 0)',
    'if (allCompleted)',
  ]),
  defect('a batch without a completed payout has failed', [
    'domain/report/report.ts',
    'return hasMaybePaid ?',
    "return countIn(progress.currencies, 'completed') > 0 ?",
  ]),
  defect('what contradicts an end is not recorded', [
    'payouts/decide.ts',
    'return isRecorded(payout, found) ||',
    'return found.code !== undefined || isRecorded(payout, found) ||',
  ]),
  defect('`submitting` is never looked up', [
    'payouts/resolve.ts',
    "payout.call === k && payoutStatusIs(payout.status, 'isInDoubt')",
    "payout.call === k && payout.status === 'unknown'",
  ]),
  defect(
    'a webhook is believed',
    [
      'webhooks/hand-on.ts',
      'receivedAt: receivedAt.S, ...named }',
      'receivedAt: receivedAt.S, ...named, candidates: [...named.candidates, `says:${JSON.parse(body.S).status}`] }',
    ],
    [
      'webhooks/apply-hint.ts',
      'const evidence = await inspect(provider, payout);',
      `const asked = await inspect(provider, payout);
  const said = hint.candidates.find((candidate) => candidate.startsWith('says:'));
  const evidence = asked.kind === 'fits' && said ? { ...asked, disbursement: { ...asked.disbursement, status: said.slice('says:'.length) } } : asked;`,
    ],
  ),
  defect(
    'every webhook counts',
    [
      'webhooks/apply-hint.ts',
      'if (changed) await ledger.refreshChunk(payout.batchId, payout.chunk);',
      'await ledger.refreshChunk(payout.batchId, payout.chunk, payout.status);',
    ],
    [
      'ledger/payouts/chunks.ts',
      'async (batchId, chunk) => (await refresh(batchId, chunk))?.record;',
      'async (batchId, chunk, as) => (await refresh(batchId, chunk, as))?.record;',
    ],
    [
      'ledger/payouts/chunks.ts',
      'refresh = async (batchId: string, chunk: number)',
      'refresh = async (batchId, chunk, as)',
    ],
    [
      'ledger/payouts/chunks.ts',
      'const counted = await write(contents, []);',
      `const before = contents.record;
      const tally = before.tallies[as] ?? { count: 0, amount: '0', fee: '0' };
      const more = { ...before, tallies: { ...before.tallies, [as]: { ...tally, count: tally.count + 1 } }, version: before.version + 1 };
      if (as !== undefined) await store.update(keys.chunk(batchId, chunk), setting(chunkChanges(more)), equals('version', before.version));
      const counted = as === undefined ? await write(contents, []) : { ...contents, record: more };`,
    ],
  ),
  defect('a reference may be taken twice', [
    'ledger/payouts/registration.ts',
    "or(absent('pk'), isThisRows)",
    `or(absent('pk'), ${notAsked})`,
  ]),
  defect('a reference in capitals is another one', ['ledger/table/keys.ts', 'reference.toLowerCase();', 'reference;']),
  defect('debts of other batches are not looked for', [
    'steps/plan/find-repeated-debts.ts',
    'if (theirs.batchId !== own) await take(theirs);',
    "if (theirs.batchId === '') await take(theirs);",
  ]),
  defect('debts are written down after others were looked for', [
    'steps/plan/find-repeated-debts.ts',
    "if (mode === 'disburse' && days > 0) await ledger.recordDebts(batchId, runId, debts.toStore(), days);\n  const { found: elsewhere, sharers } = await findElsewhere(dependencies, batchId, debts, relatives);",
    "const { found: elsewhere, sharers } = await findElsewhere(dependencies, batchId, debts, relatives);\n  if (mode === 'disburse' && days > 0) await ledger.recordDebts(batchId, runId, debts.toStore(), days);",
  ]),
  defect('no finding names a released batch that owes the same', ['release/checks.ts', '  debtsReleased,\n', '']),
  defect('a batch that owes the same is told to the later one alone', [
    'ledger/payouts/debts.ts',
    'await shares(other, [batchId]);',
    '',
  ]),
  // Nor are such batches noted: that alone tells the one that is released later.
  defect(
    'a payout that is not registered yet stands for no debt',
    [
      'steps/plan/find-repeated-debts.ts',
      'payout === undefined ? mayRegister : mayPayDebt(payout)',
      'payout !== undefined && mayPayDebt(payout)',
    ],
    [
      'steps/plan/find-repeated-debts.ts',
      'if (batch !== undefined && isBeingFunded(batch)) sharers.push(batchId);',
      '',
    ],
  ),
  defect('rows of one file are not held against each other', [
    'domain/payout/debts.ts',
    'this.repeats.set(',
    'new Map<number, number>().set(',
  ]),
  defect('a correction is held against nothing', [
    'steps/plan-batch.ts',
    '[...relatives.corrected, ...relatives.corrections],',
    '[],',
  ]),
  defect('corrections are not counted together', [
    'domain/report/corrections.ts',
    'if (rows + taken <= skipped) continue;',
    'if (rows <= skipped) continue;',
  ]),
  defect('a correction that is planned at once is missed', [
    'ledger/batches/batch-moves.ts',
    "condition: correctedBy === undefined ? absent('correctedBy') : equals('correctedBy', correctedBy),",
    `condition: correctedBy === undefined ? ${notAsked} : absent('notAskedEither'),`,
  ]),
  defect('other corrections of a refused file are told to nobody', ['release/checks.ts', '  correctedAlready,\n', '']),
  defect('nothing is set aside', [
    'steps/plan-funding.ts',
    ': await ledger.reserve(batchId, funds, decision.reservations);',
    ': true;',
  ]),
  defect('what is set aside is released when the batch begins', [
    'steps/await-release.ts',
    "case 'released':",
    "case 'released':\n      if (!isToConvert) await releaseReservation(dependencies.ledger, batch, { conversionSources: ['usdt-tron', 'usdc-polygon'] });",
  ]),
  defect('what is set aside stays when the batch ends', [
    'steps/report-batch.ts',
    'await releaseReservation(ledger, batch, settings);',
    '',
  ]),
  defect(
    'a conversion in doubt is made again',
    ['steps/convert.ts', 'if (inDoubt !== undefined)', 'if (inDoubt !== undefined && inDoubt.n === 0)'],
    ['domain/money/conversion.ts', ': string => `${batchId}#${n}`;', ": string => `${batchId}#${n > 0 ? 'any' : ''}`;"],
  ),
  defect(
    'a conversion needs no lock',
    ['steps/convert.ts', 'if (!(await ledger.lockPair(lock)))', 'if (lock === undefined)'],
    [
      'ledger/funds/conversions.ts',
      "condition: equals('holder', lockHolder(batchId, n)),",
      "condition: absent('notAsked'),",
    ],
  ),
  defect('a conversion happened when money arrived', [
    'domain/money/conversion.ts',
    'moved(moneyIn(balances, input.currency), inputBalanceBefore, input) &&',
    "!moneyIn(balances, output.currency).equals(outputBalanceBefore) || input.amount === '' ||",
  ]),
  defect('what a conversion brought is nobody’s', [
    'ledger/funds/conversions.ts',
    'let isOwned = isMade(conversion);',
    'let isOwned = false;',
  ]),
  defect('what a conversion is expected to bring is nobody’s', [
    'batches/reservation.ts',
    'if (!isBeingFunded(batch)) continue;',
    'continue;',
  ]),
  defect('a call shows in the record once its step ends', [
    'steps/submit/make-call.ts',
    'const counted = await ledger.recount(contents, claimedPayouts);',
    'const counted = contents;',
  ]),
  defect(
    'what is in doubt is converted for',
    ['domain/money/funding.ts', ': now.shortfall.minus(now.unclear);', ': now.shortfall;'],
    [
      'domain/money/funding.ts',
      "if (mayHaveSource || currencies.some(({ unclear }) => unclear.isPositive())) return { kind: 'unclear', plan };",
      "if (mayHaveSource && currencies.length === 0) return { kind: 'unclear', plan };",
    ],
  ),
  defect('fees that were not charged stay set aside', [
    'domain/money/funding.ts',
    'if (spent.count === planned.count) return reserved;',
    '',
  ]),
  defect('a fee that is told frees whatever is set aside', [
    'domain/money/funding.ts',
    'isLikely ? spent.fee.smallerOf(most) : byCount.smallerOf(byAmount)',
    'spent.fee',
  ]),
  defect('a paused batch claims on', [
    'ledger/payouts/calls.ts',
    'condition: mayClaim(chunk)',
    "condition: absent('cancelRequestedAt')",
  ]),
  defect(
    'a canceled batch claims on',
    [
      'ledger/batches/batch-condition.ts',
      "oneOf('status', batchStatusesThat(may)), absent('cancelRequestedAt')",
      "oneOf('status', batchStatusesThat(may))",
    ],
    [
      'domain/batch/batch-status.ts',
      "if (batch.cancelRequestedAt !== undefined || batch.status === 'canceled') return 'canceled';",
      "if (batch.status === 'canceled') return 'canceled';",
    ],
  ),
  defect('resuming always starts another execution', [
    'batches/start-execution.ts',
    "(await startLatest(dependencies, batch)) === 'over'",
    "(await startLatest(dependencies, batch)) !== 'started'",
  ]),
  defect('absences are counted seconds apart', [
    'payouts/resolve.ts',
    "return nowMs >= lookupAllowedFrom(payout, doubt, terms) ? { kind: 'count_absence' } : undefined;",
    "return { kind: 'count_absence' };",
  ]),
  defect('a late step moves what another call claimed', [
    'ledger/payouts/payouts.ts',
    '...(of.call === undefined ? [] : [claimedLastBy(of.call)])',
    '...[]',
  ]),
  defect('a round that is over is never checked for rows nobody registered', [
    'steps/follow.ts',
    'isSubmitting ? { chunks: [], rows: 0 } : unregisteredOf(',
    'sweep.batchId !== undefined ? { chunks: [], rows: 0 } : unregisteredOf(',
  ]),
  defect('a late end of a round hides a later one', [
    'ledger/batches/follow.ts',
    "or(absent('endedRound'), below('endedRound', round)),",
    "or(absent('endedRound'), absent('notAsked')),",
  ]),
  defect('an on-hold payout is never polled again', [
    'domain/payout/payout-status.ts',
    'on_hold: { isWithProvider: true, isOpen: true,',
    'on_hold: { isOpen: true,',
  ]),
  defect('what the changes leave out is never confirmed', [
    'steps/follow/read-lists.ts',
    'return await confirmOpen(railSweep, state);',
    'return state;',
  ]),
  defect('a child that died before it added up is forgotten', [
    'steps/follow.ts',
    'await checkReady(dependencies, sweep);',
    '',
  ]),
  defect('no execution hands over', [
    'steps/follow.ts',
    'input.sweeps >= dependencies.settings.sweepsPerExecution',
    'input.sweeps >= 1_000_000',
  ]),
  // Nor is what a conversion takes held against what is set aside: that alone keeps it from taking more.
  defect(
    'slippage is not set aside',
    [
      'domain/money/funding.ts',
      'input.grossedUpRoundedUp(maxSlippagePercent, decimalsOf(input.currency) ?? mostDecimals)',
      'input',
    ],
    [
      'steps/convert.ts',
      'if (!exceedsPlan(planned, quote, maxSlippagePercent)) return undefined;',
      'return undefined;',
    ],
  ),
  defect('every webhook asks', [
    'ledger/payouts/webhooks.ts',
    "or(absent('askedAt'), atMost('askedAt', later(askedAt, -windowSeconds))),",
    '',
  ]),
  defect('a batch that goes on is looked for by nobody', [
    'ledger/batches/batch-moves.ts',
    'open: openWhile(transition.to),',
    "open: transition.to === 'processing' ? null : openWhile(transition.to),",
  ]),
  defect('a chunk that lacks proofs is looked for by nobody', [
    'domain/batch/progress.ts',
    'proofs: sumOf(records, (record) => proofsDue(record, false)),',
    'proofs: 0,',
  ]),
  defect('money is set aside where nobody looks', [
    'ledger/funds/funds.ts',
    '...(record.version === 0',
    '...(record.version === 1',
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
  defect(
    'the version of the funds is read after the reservations',
    ['ledger/funds/funds.ts', 'const item = await store.get(keys.fundsVersion(currency));', ''],
    [
      'ledger/funds/funds.ts',
      'readReservation(currency));\n    return { currency,',
      'readReservation(currency));\n    const item = await store.get(keys.fundsVersion(currency));\n    return { currency,',
    ],
  ),
  defect('on hold is counted as unspent', [
    'domain/money/funding.ts',
    'payoutStatusesThat(what).flatMap(',
    "payoutStatusesThat(what).filter((status) => status !== 'on_hold').flatMap(",
  ]),
  defect('followDays are hours', [
    'steps/follow/look-at-what-rests.ts',
    'const dayMs = 86_400_000;',
    'const dayMs = 3_600_000;',
  ]),
  defect('a failed disbursement of a ready payout is passed over', [
    'payouts/decide.ts',
    "if (status === 'ready') {",
    "if (status === 'ready') {\n    if (disbursement.status === 'failed') return undefined;",
  ]),
  defect(
    'who ended a batch tells of it afterwards',
    ['steps/report-batch.ts', '  raiseEndAlarms(dependencies, batch, progress);\n', ''],
    [
      'steps/report-batch.ts',
      "  return { ...goesOn, next: 'ended' };",
      "  raiseEndAlarms(dependencies, batch, progress);\n  return { ...goesOn, next: 'ended' };",
    ],
    ['steps/plan-batch.ts', "if (planned === undefined && !isBatchEnd(status) && mode === 'disburse')", 'if (false)'],
    [
      'steps/plan-batch.ts',
      "'system', { plan: refused, reason }, reason.code);",
      "'system', { plan: refused, reason }, reason.code);\n    if (batch.mode === 'disburse') log.alarm('BatchFailed', { batchId, reason: reason.code });",
    ],
  ),
  defect('nobody compares ended batches', [
    'steps/report-batch.ts',
    'const dueAt = reconcileAt(isoNow(clock), 0, settings);',
    'const dueAt = undefined;',
  ]),
  defect('only what is held is compared', [
    'watch/compare-with-lists.ts',
    "['completed', ...payoutStatusesThat('isOpen')]",
    "payoutStatusesThat('isOpen')",
  ]),
  defect('what came back is not reported anew', [
    'watch/reconcile-batches.ts',
    "await ensureExecution({ ledger, workflow }, batch, 'system', why);",
    '',
  ]),
  defect('a fee that is off is not told', [
    'domain/money/fees.ts',
    'isBeyond: charged.isMoreThan(most)',
    'isBeyond: false',
  ]),
  defect('what is found is released', [
    'release/decide.ts',
    "if (why === undefined) return { kind: 'release', hash };",
    "if (why !== 'refused') return { kind: 'release', hash };",
  ]),
  defect('the starter may approve in another session', [
    'domain/batch/caller.ts',
    'withoutSession(one) !== withoutSession(other)',
    'one !== other',
  ]),
  defect('an approval is never void', ['release/decide.ts', 'approval?.hash !== hash', 'approval === undefined']),
  defect(
    'a conversion waits for no release',
    [
      'steps/plan-funding.ts',
      "conversions.some(isInDoubt)) return { batchId, next: 'convert' };",
      "true) return { batchId, next: 'convert' };",
    ],
    ['steps/convert.ts', ' && isReleased(batch, conversions, dependencies.settings)', ''],
    ['ledger/funds/conversions.ts', "and(batchThat('mayReserve'), present('release'))", "batchThat('mayReserve')"],
  ),
  defect('what a day releases is not counted', [
    'ledger/batches/releases.ts',
    'counted === undefined || plan === undefined',
    'counted?.size !== -1 || plan === undefined',
  ]),
  defect('a person looks in vain: waiting never hands over', [
    'steps/submit/count-waits.ts',
    'waits < waitsPerExecution',
    'waits < 1_000_000',
  ]),
  defect('the same content passes', [
    'ledger/batches/batch-moves.ts',
    '[joinMark(content, batch)]',
    '[joinMark(content, { ...batch, allowSameFile: true })]',
  ]),
  defect('the seal of a chunk file is not looked at', [
    'files/files.ts',
    "if (!isSealedBy(sealKey, key, bytes, Metadata?.['seal']))",
    'if (isSealedBy(sealKey, key, bytes) && bytes.length === 0)',
  ]),
  defect('a seal tells the name of its file alone', [
    'files/seal.ts',
    '.update(`${fileKey}\\n`).update(bytes)',
    '.update(fileKey)',
  ]),
  defect('equal refusals pause nothing', [
    'domain/payout/refusals.ts',
    'rows + calls / callsPerRow >= equalRefusals',
    'rows + calls / callsPerRow >= equalRefusals * 1_000_000',
  ]),
  defect('a row that is refused alone is at fault', [
    'payouts/resolve.ts',
    "call?.outcome?.kind === 'rejected' && call.outcome.isUnconfirmed === true",
    "call?.outcome?.kind === 'rejected' && call.outcome.message === 'nothing'",
  ]),
  defect('who resumes has acknowledged nothing', [
    'api/batches/resume-batch.ts',
    'acknowledgedWords: [...acknowledgedWords, refusedWords]',
    'acknowledgedWords',
  ]),
  defect(
    'a retry is held against nothing',
    [
      'payouts/retries.ts',
      'const other = originals.find((original) => !mayBeFollowed(original));',
      'const other = originals.find((original) => original.row === 0);',
    ],
    ['payouts/retries.ts', 'if (!mayBeFollowed(payout))', 'if (payout.row === 0)'],
  ),
  defect('a retry may come before what it follows', [
    'payouts/retries.ts',
    'if (followed.length === 0)',
    'if (followed.length === 0 && names.length > 1)',
  ]),
  defect('a retry is held against its original at planning alone', [
    'steps/submit-chunk.ts',
    "status === 'ready' && isRetry(reference)",
    "status === 'ready' && reference === '' && isRetry(reference)",
  ]),
  defect(
    'an execution that begins early goes on',
    [
      'steps/await-start.ts',
      'if (leftMs === 0 && !isScheduled) return goOn(batchId);',
      'if (own > 1 || (leftMs === 0 && !isScheduled)) {\n      if (isScheduled) await begin(dependencies, batch);\n      return goOn(batchId);\n    }',
    ],
    [
      'steps/await-release.ts',
      "const isTime = batch.mode === 'preview' || msUntilStart(batch, dependencies.clock()) === 0;",
      "const isTime = batch.mode !== 'none' || msUntilStart(batch, dependencies.clock()) === 0;",
    ],
  ),
  defect(
    'an execution that begins within a minute of its time goes on',
    [
      'steps/await-start.ts',
      'const leftMs = msUntilStart(batch, clock());',
      'const leftMs = isStartDue(batch, clock()) ? 0 : msUntilStart(batch, clock());',
    ],
    [
      'steps/await-release.ts',
      "batch.mode === 'preview' || msUntilStart(batch, dependencies.clock()) === 0;",
      "batch.mode === 'preview' || msUntilStart(batch, dependencies.clock()) <= 60_000;",
    ],
  ),
  defect('the watch begins nothing', [
    'watch/watch-batches.ts',
    'if (!(await beginWhenDue(dependencies, batch, clock()))) return;',
    'if (batch.batchId !== "" || !(await beginWhenDue(dependencies, batch, clock()))) return;',
  ]),
  defect(
    'a schedule begins nothing, and no watch does',
    [
      'batches/begin-when-due.ts',
      "if (!batchStatusIs(batch.status, 'awaitsStart')) return false;",
      "if (batch.batchId !== '' || !batchStatusIs(batch.status, 'awaitsStart')) return false;",
    ],
    [
      'batches/start-execution.ts',
      'const isOver = batch.executionEnded',
      "const isOver = batch.status !== 'scheduled' && batch.executionEnded",
    ],
  ),
  defect('a late run of the first execution goes on as well', [
    'steps/await-start.ts',
    'if (isScheduled && own < batch.executions) return',
    'if (isScheduled && own < 0) return',
  ]),
  defect(
    'the canary holds nothing up',
    [
      'ledger/batches/batch-condition.ts',
      "or(absent('claimUpTo'), atLeast('claimUpTo', chunk))",
      "or(absent('claimUpTo'), atLeast('claimUpTo', 1 + 0 * chunk))",
    ],
    [
      'domain/batch/canary-hold.ts',
      'claimUpTo === undefined || chunk <= claimUpTo',
      'claimUpTo !== -1 || chunk <= claimUpTo',
    ],
  ),
  defect('a canary has passed when none of it is open', [
    'domain/batch/canary.ts',
    "if (failed !== undefined) return { kind: 'failed', chunk: failed.chunk };",
    "if (failed !== undefined) return { kind: 'passed' };",
  ]),
  defect('one completed payout is canary enough', [
    'domain/batch/canary.ts',
    "countIn(own, 'completed') >= canary",
    "countIn(own, 'completed') >= Math.min(1, canary)",
  ]),
  defect('a canary that passed sends nobody', [
    'steps/follow/watch-canary.ts',
    'const changes = { claimUpTo: null, leavingSince };',
    'const changes = { leavingSince };',
  ]),
  defect('who resumes lets no payout pass the canary', [
    'api/batches/resume-batch.ts',
    'return { claimUpTo: null };',
    'return {};',
  ]),
  defect('nothing that is unpaid pauses a batch', [
    'domain/batch/unpaid-share.ts',
    'unpaid * 100 > pauseAbove * of',
    'unpaid * 100 > pauseAbove * of + 1_000_000',
  ]),
  defect('the upload is opened without its version', [
    'files/files.ts',
    'new GetObjectCommand({ Bucket: bucket, Key: file.key, VersionId: file.versionId }),',
    'new GetObjectCommand({ Bucket: bucket, Key: file.key }),',
  ]),
];
