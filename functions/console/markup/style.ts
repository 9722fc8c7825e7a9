import { tones } from '../words/tones.ts';

/** Each color in both themes. Each text has a contrast of at least 4.5 with its background. A browser test measures it. */
const colors: Readonly<Record<string, readonly [light: string, dark: string]>> = {
  ground: ['#ffffff', '#161d26'],
  raised: ['#f6f7f9', '#1d2632'],
  line: ['#d9dde3', '#36424f'],
  text: ['#10161d', '#e8ebef'],
  muted: ['#56606c', '#a9b3bf'],
  link: ['#0a55c2', '#7fb8ff'],
  main: ['#0a55c2', '#7fb8ff'],
  'on-main': ['#ffffff', '#0d1520'],
  good: ['#0b6b3a', '#7be0a5'],
  'good-ground': ['#e3f4ea', '#123524'],
  bad: ['#a81530', '#ffa3b0'],
  'bad-ground': ['#fdebee', '#4a1a25'],
  waits: ['#7a4b00', '#ffd685'],
  'waits-ground': ['#fdf1d2', '#40310f'],
  active: ['#0a4a9e', '#98c9ff'],
  'active-ground': ['#e6f0fd', '#143258'],
  quiet: ['#47515d', '#c6cdd6'],
  'quiet-ground': ['#eceff2', '#2b3542'],
  'bar-good': ['#1f9d57', '#37b873'],
  'bar-bad': ['#d13a54', '#e5566f'],
  'bar-active': ['#3b82f6', '#5a9bff'],
  'bar-waits': ['#e0a100', '#e8b23a'],
};

/** The colors of each theme as CSS variables. */
const themes = (['light', 'dark'] as const)
  .map((theme, index) => {
    const variables = Object.entries(colors).map(([name, pair]) => `--${name}:${pair[index]}`);
    return `.po.${theme}{${variables.join(';')}}`;
  })
  .join('');

/**
 * The style of all views. Every rule is limited to the widget's own element, so it cannot affect the dashboard around
 * it.
 */
export const style = `
${themes}
.po{background:var(--ground);color:var(--text);font:13px/1.45 "Amazon Ember","Helvetica Neue",Roboto,Arial,sans-serif;padding:12px 16px 16px;overflow-wrap:anywhere;min-height:100%;box-sizing:border-box}
.po *{box-sizing:border-box}
.po h1{font-size:18px;line-height:1.3;margin:0;font-weight:700}
.po h2{font-size:14px;margin:20px 0 6px;font-weight:700}
.po p{margin:4px 0}
.po .muted,.po .id{color:var(--muted)}
.po .id,.po code{font:12px/1.45 Menlo,Consolas,monospace}
.po code{background:var(--raised);border:1px solid var(--line);border-radius:4px;padding:0 4px}
.po .nowrap,.po .amount{white-space:nowrap}
.po .amount{font-variant-numeric:tabular-nums}
.po a{color:var(--link);text-decoration:none}
.po a.out{display:inline-block;line-height:24px;margin:-3px 0}
.po a:hover,.po button.link:hover{text-decoration:underline}
.po button{font:inherit;color:var(--link);background:var(--ground);border:1px solid var(--link);border-radius:16px;padding:3px 14px;min-height:28px;cursor:pointer;font-weight:600;text-align:left}
.po button:hover{background:var(--raised)}
.po button.main{background:var(--main);color:var(--on-main)}
.po button.danger{color:var(--bad);border-color:var(--bad)}
.po button.link{background:none;border:0;border-radius:2px;padding:0;min-height:24px;margin:-2px 0}
.po button:focus-visible,.po a:focus-visible,.po input:focus-visible,.po select:focus-visible{outline:2px solid var(--link);outline-offset:2px}
.po input,.po select{font:inherit;color:var(--text);background:var(--ground);border:1px solid var(--muted);border-radius:8px;padding:3px 10px;min-height:30px;max-width:100%}
.po .head{display:flex;flex-wrap:wrap;gap:8px 16px;align-items:flex-start;justify-content:space-between}
.po .row{display:flex;flex-wrap:wrap;gap:6px 10px;align-items:center}
.po .bar{margin:10px 0 4px}
.po .groups{display:flex;flex-wrap:wrap;gap:8px 28px}
.po input.long{width:240px}
.po table{border-collapse:collapse;width:100%;margin:0}
.po th{font-weight:600;color:var(--muted);text-align:left;border-bottom:1px solid var(--line);padding:6px 20px 6px 0;white-space:nowrap}
.po td{border-bottom:1px solid var(--line);padding:8px 20px 8px 0;vertical-align:top}
.po th:last-child,.po td:last-child{padding-right:0}
.po tbody tr:hover td{background:var(--raised)}
.po th.right,.po td.right{text-align:right}
.po .badge{display:inline-block;border-radius:10px;padding:1px 9px;font-size:12px;font-weight:600;white-space:nowrap}
${tones.map((tone) => `.po .badge.${tone}{color:var(--${tone});background:var(--${tone}-ground)}`).join('')}
.po .meter{display:flex;height:6px;border-radius:3px;background:var(--line);overflow:hidden;margin:6px 0 4px;min-width:110px}
.po .meter span{display:block;height:6px}
.po .meter .good{background:var(--bar-good)}
.po .meter .bad{background:var(--bar-bad)}
.po .meter .waits{background:var(--bar-waits)}
.po .meter .active{background:var(--bar-active)}
.po .note{border-left:3px solid var(--bar-waits);background:var(--raised);border-radius:0 6px 6px 0;padding:8px 12px;margin:6px 0}
.po .note.bad{border-left-color:var(--bar-bad)}
.po .note.plain{border-left-color:var(--line)}
.po .facts{display:flex;flex-wrap:wrap;gap:10px 28px;margin:12px 0 0;padding:0}
.po .facts div{margin:0;min-width:90px}
.po .facts>div>span{display:block}
.po .facts .name{color:var(--muted);font-size:12px}
.po .columns{display:flex;flex-wrap:wrap;gap:0 36px}
.po .columns>div{flex:1 1 380px;min-width:0}
.po.narrow{padding:10px 12px 14px;font-size:14px}
.po.narrow button,.po.narrow a.out{min-height:44px;padding:9px 16px;border-radius:22px;display:inline-block}
.po.narrow button.link,.po.narrow a.out{padding:11px 0;border-radius:4px;margin:0}
.po.narrow input,.po.narrow select{min-height:44px;flex:1 1 150px;min-width:0;font-size:16px}
.po.narrow input.long{flex-basis:100%}
.po.narrow .groups>div,.po.narrow .columns>div{flex-basis:100%}
.po.narrow .columns>div+div>h1{margin-top:20px}
.po.narrow table.cards,.po.narrow .cards tbody,.po.narrow .cards tr,.po.narrow .cards td{display:block;width:100%}
.po.narrow .cards thead{display:none}
.po.narrow .cards tr{border-bottom:1px solid var(--line);padding:8px 0}
.po.narrow .cards td{border:0;padding:2px 0;text-align:left}
.po.narrow .cards td:empty{display:none}
.po.narrow .cards td[data-name]{display:flex;gap:8px;align-items:baseline}
.po.narrow .cards td[data-name]::before{content:attr(data-name);color:var(--muted);flex:0 0 104px}
.po.narrow .cards td>*{min-width:0}
.po.narrow .cards td>.wide{flex:1}
.po.narrow th,.po.narrow td{padding-right:12px}
`.replaceAll('\n', '');
