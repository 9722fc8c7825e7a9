/**
 * The only style sheet of the checkout pages. It is inlined, which saves phones a request, and the content security
 * policy allows it by hash. All text has a contrast of at least 4.5 in light and dark mode.
 */
export const pageStyle = `
:root {
  color-scheme: light dark;
  --ground: #f3f5f4; --card: #ffffff; --ink: #17211d; --faint: #56635d; --line: #d5dcd8; --edge: #7b8983;
  --accent: #0b6b4f; --accent-dark: #084f3a; --on-accent: #ffffff; --tint: #e8f3ee;
  --warn: #8a4b00; --warn-tint: #fdf1dd; --bad: #a3261b; --bad-tint: #fcebe9;
  --shadow: 0 1px 2px rgb(16 32 26 / 6%), 0 8px 24px rgb(16 32 26 / 7%);
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #101513; --card: #19201d; --ink: #edf2ef; --faint: #a3b0aa; --line: #313b36; --edge: #74827b;
    --accent: #55c79d; --accent-dark: #7cdab7; --on-accent: #06271b; --tint: #1b3229;
    --warn: #f2bd6b; --warn-tint: #38290f; --bad: #ff9d92; --bad-tint: #3d1b18;
    --shadow: none;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { -webkit-text-size-adjust: 100%; scroll-padding-bottom: 8rem; }
body {
  margin: 0; min-height: 100vh; display: flex; flex-direction: column;
  background: var(--ground); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
h1, p, dl, dd, ol, figure, fieldset { margin: 0; padding: 0; border: 0; min-width: 0; }
h1 { line-height: 1.25; letter-spacing: -.01em; }
a { color: var(--accent); text-underline-offset: .2em; }
svg { display: block; width: 1.5rem; height: 1.5rem; fill: none; stroke: currentColor; stroke-width: 1.75; stroke-linecap: round; stroke-linejoin: round; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
h1:focus { outline: none; }
.unseen { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.wide { width: 100%; max-width: 61rem; margin: 0 auto; padding-left: 1rem; padding-right: 1rem; }

.sandbox-note { background: var(--warn-tint); color: var(--warn); font-size: .875rem; text-align: center; padding: .4rem 1rem; }
.bar { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .25rem 1rem; padding-top: 1rem; padding-bottom: 1rem; }
.bar span { display: flex; align-items: center; gap: .5rem; min-width: 0; }
.bar svg { flex: none; color: var(--accent); }
.bar bdi { overflow-wrap: anywhere; min-width: 0; }
.merchant { font-weight: 650; font-size: 1.0625rem; line-height: 1.3; }
.bar .secure { flex: none; gap: .375rem; color: var(--faint); font-size: .8125rem; }
.secure svg, .clock svg, .copy svg { width: 1rem; height: 1rem; }
body:has(.outcome) .wide { max-width: 34rem; }
.back { display: flex; align-items: center; gap: .5rem; width: fit-content; max-width: 100%; min-height: 2.75rem; margin: -.5rem 0 .375rem; padding: .25rem 0; color: var(--faint); font-size: .9375rem; line-height: 1.35; text-decoration: none; }
.back:hover { color: var(--accent); text-decoration: underline; }
.back svg { flex: none; width: 1.125rem; height: 1.125rem; }
.back span { overflow-wrap: anywhere; min-width: 0; }
main { flex: 1; }
footer { color: var(--faint); font-size: .8125rem; padding-top: 1.25rem; padding-bottom: 2rem; }
footer code { font: inherit; overflow-wrap: anywhere; }

.card { background: var(--card); border: 1px solid var(--line); border-radius: 1rem; box-shadow: var(--shadow); padding: 1.25rem; }
.columns { display: grid; gap: 1rem; align-items: start; }
.columns > * { min-width: 0; }
.label { color: var(--faint); font-size: .875rem; }
time { white-space: nowrap; }
.order { overflow-wrap: anywhere; }
.summary .order { margin: -.375rem 0 .75rem; }
.amount { font-size: 1.875rem; font-weight: 700; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; margin: .125rem 0 .75rem; }
.amount.long { font-size: clamp(1.125rem, 6vw, 1.375rem); }
.amount .currency { font-size: .6em; font-weight: 600; color: var(--faint); letter-spacing: .02em; }
.facts { border-top: 1px solid var(--line); margin: .25rem 0 .75rem; padding-top: .5rem; }
.facts div { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; padding: .25rem 0; }
.facts dt { color: var(--faint); }
.facts dd { font-variant-numeric: tabular-nums; text-align: right; overflow-wrap: anywhere; }
.facts .sum { font-weight: 600; }
.facts .sum dt { color: inherit; }
.until { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem .75rem; color: var(--faint); font-size: .875rem; }
.clock { display: inline-flex; align-items: center; gap: .375rem; padding: .125rem .625rem; border-radius: 1rem; background: var(--tint); color: var(--accent); font-weight: 600; font-size: 1rem; font-variant-numeric: tabular-nums; }
.clock.late { background: var(--warn-tint); color: var(--warn); }

h1 { font-size: 1.375rem; font-weight: 650; }
legend { font-size: 1.1875rem; font-weight: 650; padding: 0; }
.group { color: var(--faint); font-size: .875rem; margin: 1rem 0 .375rem; }
.offer {
  display: grid; grid-template-columns: auto auto minmax(0, 1fr); align-items: center; gap: 0 .75rem;
  min-height: 3.75rem; padding: .5rem .875rem; margin-top: .5rem; border: 1px solid var(--line); border-radius: .75rem; cursor: pointer;
}
.offer:hover { border-color: var(--edge); }
.offer:has(:checked) { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); background: var(--tint); }
.offer:has(:focus-visible) { outline: 3px solid var(--accent); outline-offset: 2px; }
.offer input, .offer svg { grid-row: 1 / span 2; }
.offer input { width: 1.25rem; height: 1.25rem; margin: 0; accent-color: var(--accent); outline: none; }
.offer svg { color: var(--faint); }
.offer .name { font-weight: 600; overflow-wrap: anywhere; }
.offer .terms { grid-column: 3; display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 .5rem; font-variant-numeric: tabular-nums; font-size: .875rem; }
.offer .fee { color: var(--faint); font-size: .8125rem; }
.hint { color: var(--faint); font-size: .875rem; margin-top: .75rem; }
.problem { background: var(--bad-tint); color: var(--bad); border-radius: .5rem; padding: .625rem .875rem; margin-bottom: .75rem; }
.problem:last-child { margin-bottom: 1.25rem; }

.button {
  display: flex; justify-content: center; align-items: center; gap: .5rem; width: 100%; min-height: 3rem; padding: .625rem 1rem;
  border: 0; border-radius: .75rem; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 650; text-decoration: none; overflow-wrap: anywhere; cursor: pointer;
}
.button:hover { background: var(--accent-dark); }
.button:disabled { opacity: .6; cursor: progress; }
.button span { min-width: 0; }
.button svg { width: 1.125rem; height: 1.125rem; }
.choose { padding-bottom: 0; }
.choose .hint { margin: 0 0 .625rem; text-align: center; }
.choose .submit { position: sticky; bottom: 0; margin: 1.25rem -1.25rem 0; padding: .75rem 1.25rem 1rem; background: var(--card); border-top: 1px solid var(--line); border-radius: 0 0 1rem 1rem; }

.state { display: flex; align-items: center; gap: .625rem; margin-bottom: .75rem; color: var(--accent); font-weight: 600; font-size: .9375rem; }
.dot { width: .625rem; height: .625rem; border-radius: 50%; background: currentColor; }
@media (prefers-reduced-motion: no-preference) {
  .dot { animation: pulse 1.6s ease-in-out infinite; }
  @keyframes pulse { 50% { opacity: .25; } }
}
.offline { color: var(--warn); font-size: .875rem; margin: -.5rem 0 .75rem; }
.qr { margin: 1rem auto .5rem; width: 17rem; max-width: 100%; padding: .25rem; background: #fff; border: 1px solid var(--line); border-radius: .75rem; }
.qr img { display: block; width: 100%; height: auto; aspect-ratio: 1; }
.save { display: flex; align-items: center; width: fit-content; min-height: 2.75rem; margin: 0 auto .5rem; padding: 0 .5rem; }
.details { margin-top: .75rem; }
.details > div { display: grid; grid-template-columns: minmax(0, 1fr) auto; align-items: center; gap: 0 .75rem; padding: .625rem 0; border-top: 1px solid var(--line); }
.details dt { color: var(--faint); font-size: .875rem; }
.details dd { grid-row: 2; overflow-wrap: anywhere; }
.details .strong { font-size: 1.1875rem; font-weight: 650; font-variant-numeric: tabular-nums; letter-spacing: .01em; }
.four { display: inline-block; margin-right: .25em; }
.details .do { grid-area: 1 / 2 / span 2; }
.copy {
  display: inline-flex; align-items: center; justify-content: center; gap: .375rem; min-width: 6.25rem; min-height: 2.75rem; padding: .25rem .5rem; border: 1px solid var(--edge); border-radius: .625rem;
  background: transparent; color: var(--accent); font: inherit; font-size: .9375rem; font-weight: 600; cursor: pointer;
}
.copy:hover { background: var(--tint); }
.steps { margin: .75rem 0 0; padding-left: 1.375rem; }
.steps li { padding: .125rem 0 .125rem .25rem; }
.steps li::marker { color: var(--faint); }
.wallet { margin: 1rem 0 1.25rem; }
.play { margin-top: 1rem; border: 1px dashed var(--warn); border-radius: .75rem; padding: 1rem; background: var(--warn-tint); }
.play p { color: var(--warn); font-size: .875rem; margin-bottom: .625rem; }

.outcome { padding: 2rem 1.25rem; text-align: center; }
.outcome .button { margin-top: 1.5rem; }
.outcome h1 { font-size: 1.5rem; margin-bottom: .5rem; }
.outcome .lead { color: var(--faint); overflow-wrap: anywhere; }
.outcome .order { margin-top: .75rem; }
.outcome .facts { margin: 1.5rem 0 0; text-align: left; }
.badge { display: grid; place-items: center; width: 4rem; height: 4rem; margin: 0 auto 1rem; border-radius: 50%; background: var(--tint); color: var(--accent); }
.badge svg { width: 2rem; height: 2rem; stroke-width: 2.25; }
.badge.gone { background: var(--warn-tint); color: var(--warn); }
.badge.wrong { background: var(--bad-tint); color: var(--bad); }
.caution { background: var(--warn-tint); color: var(--warn); border-radius: .75rem; padding: .75rem 1rem; margin-top: 1rem; text-align: left; }

@media (max-width: 26rem) {
  .offer { grid-template-columns: auto minmax(0, 1fr); }
  .offer svg { display: none; }
  .offer .terms { grid-column: 2; }
  .details .strong { font-size: 1.0625rem; }
  .copy { min-width: 5rem; }
}
@media (min-width: 46rem) {
  .bar { padding-top: 1.5rem; }
  .card { padding: 1.75rem; }
  .choose { padding-bottom: 0; }
  .offer { grid-template-columns: auto auto 1fr auto; }
  .offer input, .offer svg { grid-row: 1; }
  .offer .terms { grid-column: 4; flex-direction: column; align-items: end; font-size: 1rem; }
  .columns { grid-template-columns: minmax(17rem, 2fr) 3fr; gap: 1.5rem; }
  .summary { position: sticky; top: 1.5rem; }
  .amount { font-size: 2.25rem; }
  .amount.long { font-size: 1.5rem; }
  .choose .submit { margin: 1.25rem -1.75rem 0; padding: .875rem 1.75rem 1.25rem; }
  .outcome { padding: 2.5rem; }
}
`;
