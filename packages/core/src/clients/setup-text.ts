import { quoteForShell } from '../code-samples/quote-for-shell.ts';

/** Anthropic's clients append `/v1` to their base URL. */
export function bareUrl(baseUrl: string): string {
  return baseUrl.replace(/\/v1\/?$/, '');
}

/** A string as JSON, TOML and YAML write it alike. */
export function quoted(text: string): string {
  return JSON.stringify(text);
}

export function jsonText(value: object): string {
  return JSON.stringify(value, null, 2);
}

/** `export NAME=value` for a shell. A value that starts with `$` is a reference to another variable. */
export function exportLines(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `export ${name}=${/^\$\w+$/.test(value) ? `"${value}"` : quoteForShell(value)}`)
    .join('\n');
}
