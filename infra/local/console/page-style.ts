/** The page around the widgets: just enough of the AWS console. */
export const pageStyle = `
:root{color-scheme:light;--page:#eef0f3;--card:#fff;--line:#d9dde3;--text:#10161d;--muted:#56606c;--link:#0a55c2;--bad:#a81530}
:root[data-theme=dark]{color-scheme:dark;--page:#0c1219;--card:#161d26;--line:#36424f;--text:#e8ebef;--muted:#a9b3bf;--link:#7fb8ff;--bad:#ffa3b0}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:13px/1.45 "Amazon Ember","Helvetica Neue",Roboto,Arial,sans-serif}
header{display:flex;flex-wrap:wrap;gap:8px 16px;align-items:center;justify-content:space-between;padding:10px 16px;background:var(--card);border-bottom:1px solid var(--line)}
header h1{font-size:15px;margin:0}
header p{margin:0;color:var(--muted)}
header div,dialog menu{display:flex;gap:8px;flex-wrap:wrap;align-items:center}
header button,dialog button{font:inherit;font-weight:600;color:var(--link);background:var(--card);border:1px solid var(--link);border-radius:22px;padding:4px 16px;min-height:32px;cursor:pointer}
button:focus-visible{outline:2px solid var(--link);outline-offset:2px}
main{display:grid;grid-template-columns:repeat(24,minmax(0,1fr));gap:12px;padding:12px;max-width:1680px;margin:0 auto}
main>section{background:var(--card);border:1px solid var(--line);border-radius:12px;overflow:hidden;min-width:0}
main>section>h2{font-size:13px;margin:0;padding:8px 16px;border-bottom:1px solid var(--line);color:var(--muted)}
main>section[aria-busy=true]>div{opacity:.55}
main>section>div{min-height:60px}
.failed{color:var(--bad);padding:12px 16px;margin:0}
cwdb-action{display:none}
dialog{border:1px solid var(--line);border-radius:12px;background:var(--card);color:var(--text);padding:0;width:min(560px,calc(100vw - 24px))}
dialog::backdrop{background:rgb(0 0 0/.45)}
dialog p{padding:16px 16px 4px;margin:0}
dialog p:empty{display:none}
dialog input{font:inherit;max-width:100%;min-height:44px}
dialog menu{justify-content:flex-end;margin:0;padding:12px 16px}
@media (max-width:899px){header button,dialog button{min-height:44px}main{display:block;padding:8px}main>section{margin-bottom:10px}}
`;
