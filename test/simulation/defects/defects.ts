/** Replaces one text of the product when the file is loaded. */
export interface Substitution {
  /** Path from the repository's root. */
  readonly file: string;
  /** Occurs in the file exactly once. */
  readonly find: string;
  readonly put: string;
}

/** A plausible mistake. The simulation must catch it. */
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

/** Each breaks a promise of PROMISES.md. The product itself contains no switch for any of them. */
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
      'let waitMs = 0;',
      `let waitMs = 0;
  const isFree = (payout) => payout.status === 'submitting' && run.clock() - Date.parse(payout.updatedAt) > 10_000;
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
  defect('a 5xx counts as a rejection', [
    'provider/refusal.ts',
    "case 'unknown':\n      return answer;",
    "case 'unknown':\n      if (answer.cause.startsWith('status_5')) return { kind: 'rejected', message: 'refused' };\n      return answer;",
  ]),
  defect('a reset counts as never sent', [
    'provider/refusal.ts',
    "case 'unknown':\n      return answer;",
    "case 'unknown':\n      if (answer.cause === 'connection_reset') return { kind: 'not_sent', cause: 'reset' };\n      return answer;",
  ]),
  defect('the rows of an unknown call become ready', [
    'steps/submit/record-call-answer.ts',
    'return all(() => loseSight(call));',
    'return all(() => returnClaim(call));',
  ]),
  defect('items missing from the answer count as rejected', [
    'payouts/decide-by-calls.ts',
    'whileSubmitting(payoutTransitions.loseSight)',
    'whileSubmitting(payoutTransitions.reject)',
  ]),
  defect(
    'a gateway’s 404 counts as an absence',
    [
      'provider/service-answer.ts',
      'if (status === 401 || status === 403) return',
      'if (status === 404 || status === 401 || status === 403) return',
    ],
    [
      'provider/disbursement-reads.ts',
      'answer.statusCode === 404 && containsPhrase(traits.words.absent, answer.message)',
      'answer.statusCode === 404',
    ],
  ),
  defect('one absence counts as proof', [
    'payouts/decide-by-calls.ts',
    'const absencesNeeded = 3;',
    'const absencesNeeded = 1;',
  ]),
  defect('a taken reference counts as proof that nothing was made', [
    'payouts/decide-by-calls.ts',
    "if (outcome?.kind !== 'rejected') return false;",
    "if (outcome?.kind !== 'rejected') return false;\n  return true;",
  ]),
  defect('a gateway’s 403 counts as proof that nothing was made', [
    'payouts/decide-by-calls.ts',
    "(outcome?.kind === 'halted' && outcome.madeNothing === true)",
    "outcome?.kind === 'halted'",
  ]),
  defect('a conversion that a gateway refused counts as not made', [
    'steps/funding/convert.ts',
    "if (answer.madeNothing) await end({ status: 'rejected', reason });",
    "await end({ status: 'rejected', reason });",
  ]),
  defect('three absences suffice for a person to settle a payout as unpaid', [
    'api/settle/prove-absence.ts',
    'const provenAt = Date.parse(since) + provider.traits.rails[rail].hiddenHours * hourMs;',
    'const provenAt = Date.parse(since) + 840_000 + 0 * provider.traits.rails[rail].hiddenHours * hourMs;',
  ]),
  defect('no search by address and amount is made', [
    'api/settle/prove-absence.ts',
    'if (search === undefined) return undefined;',
    "if (search === undefined || rail === 'crypto') return undefined;",
  ]),
  defect('only one word identifies a taken reference', [
    'provider/refusal.ts',
    'isTaken: saysTaken(answer.message, words.taken)',
    'isTaken: /must be unique/.test(answer.message)',
  ]),
  defect('a taken reference is identified by the shortened message', [
    'provider/refusal.ts',
    'isTaken: saysTaken(answer.message, words.taken)',
    'isTaken: saysTaken(message, words.taken)',
  ]),
  defect('an earlier call is forgotten when a later one is refused', [
    'payouts/decide-by-calls.ts',
    'return !mayBeMadeBy(calls, payout);',
    'return calls.length < 1_000_000;',
  ]),
  defect('a canceled batch forgets payments that may exist', [
    'payouts/decide-by-calls.ts',
    'if (mayBeMadeBy(calls, payout)) {',
    'if (mayBeMadeBy([], payout)) {',
  ]),
  defect('crypto is submitted again', [
    'payouts/decide-by-calls.ts',
    'const { referenceUniqueHours: hours } = rails[payout.rail];',
    'const { referenceUniqueHours: hours } = rails.fiat;',
  ]),
  defect('a reference stays protected forever', [
    'payouts/decide-by-calls.ts',
    "return hours === 'forever' ||",
    'return hours !== 0 ||',
  ]),
  defect('a row that became ready again may be submitted at any time', [
    'payouts/decide-by-calls.ts',
    "if (payout.status !== 'ready' || mayBeSubmitted(payout, calls, terms, nowMs)) return undefined;",
    "if (payout.status !== 'ready' || mayBeSubmitted(payout, [], terms, nowMs)) return undefined;",
  ]),
  defect('a found payment is adopted without a comparison', [
    'payouts/decide-by-evidence.ts',
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
  defect('contradictions of an end are not recorded', [
    'payouts/decide-by-evidence.ts',
    'return isSettled || isRecorded(payout, found) ||',
    'return found.code !== undefined || isRecorded(payout, found) ||',
  ]),
  defect('`submitting` is never looked up', [
    'payouts/decide-by-calls.ts',
    "payout.call === k && payoutStatusIs(payout.status, 'isInDoubt')",
    "payout.call === k && payout.status === 'unknown'",
  ]),
  defect(
    'a webhook is trusted without a lookup',
    [
      'webhooks/queue-hints.ts',
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
  defect('contradictions of unpaid payouts are not counted', [
    'ledger/payouts/payouts.ts',
    'payoutStatus: payout.status',
    "payoutStatus: 'completed'",
  ]),
  defect(
    'every webhook refreshes the chunk counts',
    [
      'webhooks/apply-hint.ts',
      'if (changed) await updateBatchOf(run, payout);',
      'await run.ledger.refreshChunk(payout.batchId, payout.chunk, payout.status);',
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
  defect('a reference in capitals counts as another one', [
    'ledger/table/keys.ts',
    'reference.toLowerCase();',
    'reference;',
  ]),
  defect('no search for debts of other batches is made', [
    'steps/plan/find-debts-elsewhere.ts',
    'if (theirs.batchId !== own) await take(theirs);',
    "if (theirs.batchId === '') await take(theirs);",
  ]),
  defect('debts are recorded after the search for others', [
    'steps/plan/make-plan.ts',
    'if (until !== undefined) await ledger.recordDebts(batchId, runId, debts.toStore(), debtsKeptUntil(until, settings));\n  const elsewhere = await findDebtsElsewhere({ ledger, files, settings }, batchId, debts, relatives, retried);',
    'const elsewhere = await findDebtsElsewhere({ ledger, files, settings }, batchId, debts, relatives, retried);\n  if (until !== undefined) await ledger.recordDebts(batchId, runId, debts.toStore(), debtsKeptUntil(until, settings));',
  ]),
  defect('no finding names a released batch with the same debt', ['release/checks.ts', '  debtsReleased,\n', '']),
  defect('only the later of two batches with one debt is warned', [
    'ledger/payouts/debts.ts',
    'await shares(other, [batchId]);',
    '',
  ]),
  // Such batches are not noted either, because that alone would warn the batch that is released later.
  defect(
    'a payout that is not registered yet represents no debt',
    [
      'steps/plan/find-debts-elsewhere.ts',
      "if (payout === undefined) return mayRegister ? 'payable' : 'unregistered';",
      "if (payout === undefined) return 'unregistered';",
    ],
    [
      'steps/plan/find-debts-elsewhere.ts',
      'if (batch !== undefined && isBeingFunded(batch)) sharers.push(batchId);',
      '',
    ],
  ),
  defect('rows of one file are not compared', [
    'domain/payout/debts.ts',
    'this.repeats.set(',
    'new Map<number, number>().set(',
  ]),
  defect('a correction is compared with nothing', [
    'steps/plan/make-plan.ts',
    '[...relatives.corrected, ...relatives.corrections]',
    '[]',
  ]),
  defect('corrections are not counted together', [
    'domain/report/corrections.ts',
    'if (rows + taken <= skipped) continue;',
    'if (rows <= skipped) continue;',
  ]),
  defect('a concurrently planned correction is missed', [
    'ledger/batches/record-plan.ts',
    "correction && asRead('correctedBy', correction.correctedBy);",
    `correction && (correction.correctedBy === undefined ? ${notAsked} : absent('notAskedEither'));`,
  ]),
  defect('no finding names other corrections of a refused file', ['release/checks.ts', '  correctedAlready,\n', '']),
  defect('no money is reserved', [
    'steps/funding/plan-funding.ts',
    ': await ledger.reserve(batchId, funds, decision.reservations);',
    ': true;',
  ]),
  defect('the reservation is given back when the batch begins', [
    'steps/funding/await-release.ts',
    "case 'released':",
    "case 'released':\n      if (!isToConvert) await giveBackReservation({ ...run, settings: { conversionSources: ['usdt-tron', 'usdc-polygon'] } }, batch);",
  ]),
  defect('the reservation remains when the batch ends', [
    'steps/report-batch.ts',
    'await giveBackReservation(dependencies, batch);',
    '',
  ]),
  defect(
    'a conversion in doubt is made again',
    ['steps/funding/convert.ts', 'if (inDoubt !== undefined)', 'if (inDoubt !== undefined && inDoubt.n === 0)'],
    ['domain/money/conversion.ts', ': string => `${batchId}#${n}`;', ": string => `${batchId}#${n > 0 ? 'any' : ''}`;"],
  ),
  defect(
    'a conversion needs no lock',
    ['steps/funding/convert.ts', 'if (!(await ledger.lockPair(lock)))', 'if (lock === undefined)'],
    [
      'ledger/funds/conversions.ts',
      "checking(keys.pairLock(pairOf(planned)), equals('holder', lockHolder(batchId, n))),",
      '',
    ],
  ),
  defect('arriving money counts as proof of a conversion', [
    'domain/money/conversion.ts',
    'moved(moneyIn(balances, input.currency), inputBalanceBefore, input) &&',
    "!moneyIn(balances, output.currency).equals(outputBalanceBefore) || input.amount === '' ||",
  ]),
  defect('the proceeds of a conversion belong to no batch', [
    'ledger/funds/conversions.ts',
    'let keepsOutput = isMade(conversion);',
    'let keepsOutput = false;',
  ]),
  defect('the expected proceeds of a conversion belong to no batch', [
    'batches/reservation.ts',
    'if (!isBeingFunded(batch)) continue;',
    'continue;',
  ]),
  defect('the record counts a call only when its step ends', [
    'steps/submit/make-call.ts',
    'const counted = await ledger.recount(contents, claimedPayouts);',
    'const counted = contents;',
  ]),
  defect(
    'a payout in doubt is converted for',
    ['domain/money/funding.ts', ': now.shortfall.minus(now.unclear);', ': now.shortfall;'],
    [
      'domain/money/funding.ts',
      'if ((lacksSource && mayHaveSource) || currencies.some(({ unclear }) => unclear.isPositive()))',
      'if (lacksSource && mayHaveSource && currencies.length === 0)',
    ],
    ['domain/money/funding.ts', '!unclear.isPositive() &&', ''],
  ),
  defect('fees that were not charged stay reserved', [
    'domain/money/funding.ts',
    'if (spent.count === planned.count) return reserved;',
    '',
  ]),
  defect('a reported fee frees the whole reservation', [
    'domain/money/funding.ts',
    'isLikely ? spent.fee.smallerOf(most) : byCount.smallerOf(byAmount)',
    'spent.fee',
  ]),
  defect('a paused batch continues to claim', [
    'ledger/payouts/calls.ts',
    'checking(keys.batch(batchId), mayClaim(chunk))',
    "checking(keys.batch(batchId), absent('cancelRequestedAt'))",
  ]),
  defect(
    'a canceled batch continues to claim',
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
    'payouts/decide-by-calls.ts',
    "return nowMs >= lookupAllowedFrom(payout, doubt, terms) ? { kind: 'count_absence' } : undefined;",
    "return { kind: 'count_absence' };",
  ]),
  defect('a late step moves rows that another call claimed', [
    'ledger/payouts/payouts.ts',
    "...(options.call === undefined ? [] : [equals('call', options.call)])",
    '...[]',
  ]),
  defect('a round that is over is never checked for unregistered rows', [
    'steps/follow.ts',
    'isSubmitting ? { chunks: [], rows: 0 } : unregisteredOf(',
    'batch.batchId !== undefined ? { chunks: [], rows: 0 } : unregisteredOf(',
  ]),
  defect('a late end of a round hides a later one', [
    'ledger/batches/follow.ts',
    "absentOrBelow('endedRound', round),",
    "or(absent('endedRound'), absent('notAsked')),",
  ]),
  defect('an on-hold payout is never polled again', [
    'domain/payout/payout-status.ts',
    'on_hold: { isWithProvider: true, isOpen: true,',
    'on_hold: { isOpen: true,',
  ]),
  defect('payouts missing from the changes are never confirmed', [
    'steps/follow/read-lists.ts',
    'return await confirmOpen(railSweep, state);',
    'return state;',
  ]),
  defect('a child that died before it counted the chunk is forgotten', [
    'steps/follow.ts',
    'await refreshLongReady(run);',
    '',
  ]),
  defect('no execution hands over', [
    'steps/follow/decide-next.ts',
    'place.sweeps >= settings.sweepsPerExecution',
    'place.sweeps >= 1_000_000',
  ]),
  // Also skips the comparison of a conversion's cost with the reservation, which alone would stop it from taking more.
  defect(
    'slippage is not reserved',
    [
      'domain/money/funding.ts',
      'input.grossedUpRoundedUp(maxSlippagePercent, decimalsOf(input.currency) ?? mostDecimals)',
      'input',
    ],
    [
      'steps/funding/convert.ts',
      'if (!exceedsPlan(planned, quote, maxSlippagePercent)) return undefined;',
      'return undefined;',
    ],
  ),
  defect('every webhook makes a lookup', [
    'ledger/payouts/webhooks.ts',
    "or(absent('askedAt'), atMost('askedAt', later(askedAt, -windowSeconds))),",
    '',
  ]),
  defect('an open batch is missing from the index', [
    'ledger/batches/batch-codec.ts',
    'open: openWhile(status),',
    "open: status === 'processing' ? null : openWhile(status),",
  ]),
  defect('missing proofs keep no batch open', [
    'domain/batch/progress.ts',
    'proofs: sumOf(records, (record) => proofsDue(record, false)),',
    'proofs: 0,',
  ]),
  defect('the currency of a reservation is not listed', [
    'ledger/funds/funds.ts',
    '...(record.version === 0',
    '...(record.version === 1',
  ]),
  defect('the watch does not ask whether an execution runs', [
    'watch/watch-batches.ts',
    "if (state === 'running' || (state === 'absent' && (await mayBeStarting(dependencies, asked)))) return false;",
    '',
  ]),
  defect('the watch checks no execution', [
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
    ['ledger/funds/funds.ts', 'const funds = await store.read(keys.fundsVersion(currency), readFundsVersion);', ''],
    [
      'ledger/funds/funds.ts',
      'readReservation(currency));\n  return { currency,',
      'readReservation(currency));\n  const funds = await store.read(keys.fundsVersion(currency), readFundsVersion);\n  return { currency,',
    ],
  ),
  defect('a payout on hold counts as unspent', [
    'domain/money/funding.ts',
    'payoutStatusesThat(what).flatMap(',
    "payoutStatusesThat(what).filter((status) => status !== 'on_hold').flatMap(",
  ]),
  defect('followDays counts hours', [
    'steps/follow/quarantine-overdue.ts',
    'followDays * dayMs',
    'followDays * (dayMs / 24)',
  ]),
  defect('a failed disbursement of a ready payout is ignored', [
    'payouts/decide-by-evidence.ts',
    "if (status === 'ready') {",
    "if (status === 'ready') {\n    if (disbursement.status === 'failed') return undefined;",
  ]),
  defect(
    'the end of a batch is reported only after it is written',
    ['steps/report-batch.ts', '  raiseEndAlarms(dependencies, batch, progress);\n', ''],
    [
      'steps/report-batch.ts',
      "batchId);\n  return { ...goesOn, next: 'ended' };",
      "batchId);\n  raiseEndAlarms(dependencies, batch, progress);\n  return { ...goesOn, next: 'ended' };",
    ],
    ['steps/plan-batch.ts', "if (planned === undefined && !isBatchEnd(status) && mode === 'disburse')", 'if (false)'],
    [
      'steps/plan-batch.ts',
      "'system', changes, { detail: reason.code });",
      "'system', changes, { detail: reason.code });\n    if (batch.mode === 'disburse') log.alarm('BatchFailed', { batchId, reason: reason.code });",
    ],
  ),
  defect('nobody compares ended batches', [
    'steps/report-batch.ts',
    'const dueAt = reconcileAt(isoNow(clock), 0, settings);',
    'const dueAt = undefined;',
  ]),
  defect('only payouts on hold are compared', [
    'watch/compare-with-provider.ts',
    'if (heldBy !== undefined) continue;',
    "if (payoutStatusIs(status, 'isEnd')) continue;",
  ]),
  defect('a returned payment gets no new report', [
    'watch/reconcile-batches.ts',
    "await ensureExecution({ ledger, workflow }, batch, 'system', why);",
    '',
  ]),
  defect('a wrong fee is not reported', [
    'domain/money/fees.ts',
    'isBeyond: charged.isMoreThan(most)',
    'isBeyond: false',
  ]),
  defect('a batch with findings is released', [
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
      'steps/funding/plan-funding.ts',
      "conversions.some(isInDoubt)) return { batchId, next: 'convert' };",
      "true) return { batchId, next: 'convert' };",
    ],
    ['steps/funding/convert.ts', ' && isReleased(batch, conversions, settings)', ''],
    ['ledger/funds/conversions.ts', "and(batchThat('mayReserve'), present('release'))", "batchThat('mayReserve')"],
  ),
  defect('releases of a day are not counted', [
    'ledger/batches/releases.ts',
    'counted === undefined || plan === undefined',
    'counted?.size !== -1 || plan === undefined',
  ]),
  defect('waiting never hands over, so nothing notices a decision', [
    'steps/funding/count-waits.ts',
    'waits < waitsPerExecution',
    'waits < 1_000_000',
  ]),
  defect('a repeated file is accepted', [
    'ledger/batches/record-plan.ts',
    '[joinMark(content, batch)]',
    '[joinMark(content, { ...batch, allowSameFile: true })]',
  ]),
  defect('the seal of a chunk file is not checked', [
    'files/files.ts',
    "if (!isSealedBy(sealKey, key, bytes, Metadata?.['seal']))",
    'if (isSealedBy(sealKey, key, bytes) && bytes.length === 0)',
  ]),
  defect('a seal covers only the name of its file', [
    'files/seal.ts',
    '.update(`${fileKey}\\n`).update(bytes)',
    '.update(fileKey)',
  ]),
  defect('one look is enough after a refused call of several wallets', [
    'payouts/decide-by-calls.ts',
    'doubt.call.rows.length === 1 ||',
    'doubt.call.rows.length >= 1 ||',
  ]),
  defect('equal refusals pause nothing', [
    'domain/payout/equal-refusals.ts',
    'rows + calls / callsPerRow >= equalRefusals',
    'rows + calls / callsPerRow >= equalRefusals * 1_000_000',
  ]),
  defect('a row that is refused alone counts as faulty', [
    'payouts/decide-by-calls.ts',
    "call?.outcome?.kind === 'rejected' && call.outcome.isUnconfirmed === true",
    "call?.outcome?.kind === 'rejected' && call.outcome.message === 'nothing'",
  ]),
  defect('a resume acknowledges no refusal', [
    'api/batches/resume-batch.ts',
    'acknowledgedWords: [...acknowledgedWords, refusedWords]',
    'acknowledgedWords',
  ]),
  defect(
    'a retry is compared with nothing',
    [
      'payouts/check-retry.ts',
      'const other = originals.find((original) => !allowsRetry(original));',
      'const other = originals.find((original) => original.row === 0);',
    ],
    ['payouts/check-retry.ts', 'if (!allowsRetry(payout))', 'if (payout.row === 0)'],
  ),
  defect('a retry may come before its original', [
    'payouts/check-retry.ts',
    'if (lastOriginal.length === 0)',
    'if (lastOriginal.length === 0 && names.length > 1)',
  ]),
  defect('a retry is compared with its original only at planning', [
    'steps/submit-chunk.ts',
    'const retries = contents.payouts.filter(isReadyRetry);',
    'const retries = contents.payouts.filter(() => false);',
  ]),
  defect(
    'an execution that begins early continues',
    [
      'domain/batch/start-time.ts',
      "if (hasCome) return isScheduled ? 'begin' : 'go_on';",
      "if (hasCome || own > 1) return isScheduled ? 'begin' : 'go_on';",
    ],
    [
      'steps/funding/await-release.ts',
      "const isTime = batch.mode === 'preview' || msUntilStart(batch, dependencies.clock()) === 0;",
      "const isTime = batch.mode !== 'none' || msUntilStart(batch, dependencies.clock()) === 0;",
    ],
  ),
  defect(
    'an execution that begins within a minute of its time continues',
    [
      'domain/batch/start-time.ts',
      'const hasCome = msUntilStart(batch, nowMs) === 0;',
      'const hasCome = isStartDue(batch, nowMs);',
    ],
    [
      'steps/funding/await-release.ts',
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
  defect('a late run of the first execution continues too', [
    'domain/batch/start-time.ts',
    "if (isOutdated) return 'rest';",
    "if (isOutdated && own < 0) return 'rest';",
  ]),
  defect(
    'the canary delays nothing',
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
  defect('a canary passes once none of its payouts is open', [
    'domain/batch/canary.ts',
    "if (failed !== undefined) return { kind: 'failed', chunk: failed.chunk };",
    "if (failed !== undefined) return { kind: 'passed' };",
  ]),
  defect('one completed payout passes the canary', [
    'domain/batch/canary.ts',
    "countIn(own, 'completed') >= canary",
    "countIn(own, 'completed') >= Math.min(1, canary)",
  ]),
  defect('a passed canary does not release the other chunks', [
    'steps/follow/watch-canary.ts',
    'const changes = { claimUpTo: null, leavingSince };',
    'const changes = { leavingSince };',
  ]),
  defect('a resume does not lift the canary', [
    'api/batches/resume-batch.ts',
    '{ claimUpTo: null, acknowledgedQuarantined }',
    '{ acknowledgedQuarantined }',
  ]),
  defect('unpaid payouts never pause a batch', [
    'domain/batch/unpaid-share.ts',
    'unpaid * 100 > pauseAbove * of',
    'unpaid * 100 > pauseAbove * of + 1_000_000',
  ]),
  defect(
    'a paused batch goes on without its fees',
    [
      'steps/funding/estimate-fees.ts',
      "if (permissionToMoveMoney(batch) === 'stopped' && !hasBegunDisbursing(batch)) return untilItMayGoOn;",
      '',
    ],
    [
      'steps/funding/estimate-fees.ts',
      "if (recorded.kind === 'refused' && !hasBegunDisbursing(recorded.batch)) return untilItMayGoOn;",
      '',
    ],
  ),
  defect('the upload is opened without its version', [
    'files/files.ts',
    'new GetObjectCommand({ Bucket: bucket, Key: key, VersionId: versionId })',
    'new GetObjectCommand({ Bucket: bucket, Key: key })',
  ]),
];
