/** Light and dark values of the console's tokens, for pages that the server renders. */
export const PAGE_TOKENS = {
  light: {
    '--bg': '#fbfaf8',
    '--surface': '#ffffff',
    '--line': '#e7e3dc',
    '--line-strong': '#d6d0c5',
    '--ink': '#1c1a17',
    '--ink-2': '#5c564c',
    '--accent': '#0b6b53',
    '--accent-hover': '#095a46',
    '--accent-ink': '#ffffff',
    '--warn': '#8a5705',
    '--warn-soft': '#fbf0d9',
    '--warn-line': '#ecd6a4',
  },
  dark: {
    '--bg': '#12110f',
    '--surface': '#191815',
    '--line': '#2c2925',
    '--line-strong': '#3d3933',
    '--ink': '#f2efe9',
    '--ink-2': '#b3ac9f',
    '--accent': '#4cc9a1',
    '--accent-hover': '#63d6b1',
    '--accent-ink': '#06251b',
    '--warn': '#e5b454',
    '--warn-soft': '#33280f',
    '--warn-line': '#55431a',
  },
} as const;

const declare = (tokens: Record<string, string>) =>
  Object.entries(tokens)
    .map(([name, value]) => `${name}:${value}`)
    .join(';');

const STYLE = `
:root{color-scheme:light;${declare(PAGE_TOKENS.light)}}
[data-theme=dark]{color-scheme:dark;${declare(PAGE_TOKENS.dark)}}
*{box-sizing:border-box}
body{margin:0;min-height:100dvh;background:var(--bg);color:var(--ink);font:14px/20px 'Geist Variable',ui-sans-serif,system-ui,sans-serif;font-variant-numeric:tabular-nums}
main{max-width:520px;margin:0 auto;padding:48px 16px}
.brand{font-weight:600;margin:0 0 24px}
h1{font-size:20px;line-height:28px;margin:0 0 4px}
p{margin:0 0 16px;color:var(--ink-2)}
.card{background:var(--surface);border:1px solid var(--line);border-radius:12px;padding:24px}
.note{background:var(--warn-soft);border:1px solid var(--warn-line);color:var(--warn);border-radius:8px;padding:10px 12px;margin:0 0 20px}
dl{margin:0 0 20px;display:grid;grid-template-columns:max-content 1fr;gap:0}
dt,dd{margin:0;padding:9px 0;border-top:1px solid var(--line)}
dt{color:var(--ink-2);padding-right:24px}
dd{text-align:right;overflow-wrap:anywhere}
h2{font-size:13px;line-height:20px;margin:0;color:var(--ink-2);font-weight:500}
h2+p{color:var(--ink);overflow-wrap:anywhere}
table{width:100%;border-collapse:collapse;margin:0 0 20px}
th,td{padding:9px 0;border-top:1px solid var(--line);text-align:left;font-weight:400;vertical-align:top}
th{color:var(--ink-2)}
.number{text-align:right;white-space:nowrap;padding-left:24px}
tfoot td{font-weight:600}
.amount{font-size:28px;line-height:36px;font-weight:600;margin:0 0 20px;color:var(--ink)}
form{display:grid;gap:8px;margin:0}
button,.button{display:block;width:100%;min-height:40px;padding:9px 14px;border-radius:8px;border:1px solid var(--line-strong);background:var(--surface);color:var(--ink);font:inherit;font-weight:500;text-align:center;text-decoration:none;cursor:pointer}
button.primary{background:var(--accent);border-color:var(--accent);color:var(--accent-ink)}
button.primary:hover{background:var(--accent-hover)}
a{color:var(--accent)}
.foot{margin:16px 0 0;text-align:center}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
@media print{
  :root,[data-theme=dark]{color-scheme:light;${declare(PAGE_TOKENS.light)}}
  body{background:#fff}
  main{max-width:none;padding:0}
  .card{border:0;padding:0}
  .screen{display:none}
}`;

/** A text that was made safe to stand in HTML. */
export interface Html {
  html: string;
}

/** Builds HTML; inserted values are escaped, unless they are already HTML. */
export function html(parts: TemplateStringsArray, ...values: (string | Html | Html[])[]): Html {
  const written = values.map((value) => {
    if (typeof value === 'string') return escapeHtml(value);
    return Array.isArray(value) ? value.map((item) => item.html).join('') : value.html;
  });
  return { html: parts.map((part, index) => part + (written[index] ?? '')).join('') };
}

/** A complete page in the console's style, with the theme selected in the console. */
export function writePage(page: { title: string; body: Html }): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="same-origin" />
        <meta name="robots" content="noindex" />
        <title>${page.title} · Tollgate</title>
        <link rel="icon" href="/favicon.svg" />
        <script src="/theme.js"></script>
        <style>
          ${{ html: STYLE }}
        </style>
      </head>
      <body>
        <main>
          <p class="brand">Tollgate</p>
          ${page.body}
        </main>
      </body>
    </html> `.html;
}

/** The same words whether a page does not exist or belongs to another person. */
export function missingPage(): string {
  return writePage({
    title: 'Not found',
    body: html`<div class="card">
      <h1>Page not found</h1>
      <p>The page does not exist or belongs to another account.</p>
      <a class="button" href="/billing">Go to Billing</a>
    </div>`,
  });
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
