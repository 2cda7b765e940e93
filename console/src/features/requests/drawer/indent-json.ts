const INDENT = '  ';

/**
 * Indents JSON and keeps every string and number as written. Parsing and serializing would change
 * large numbers and escapes.
 * @returns null if the text is not a JSON object or array
 */
export function indentJson(text: string): string | null {
  const trimmed = text.trim();
  if (!/^[[{]/.test(trimmed) || !isJson(trimmed)) return null;
  let depth = 0;
  let out = '';
  // Tokens: strings, numbers, literals and punctuation. Whitespace is skipped.
  for (const [token] of trimmed.matchAll(/"(?:[^"\\]|\\.)*"|[^\s"{}[\],:]+|[{}[\],:]/g)) {
    if (token === '}' || token === ']') {
      depth -= 1;
      const isEmpty = out.endsWith('{') || out.endsWith('[');
      out += isEmpty ? token : `\n${INDENT.repeat(depth)}${token}`;
      continue;
    }
    if (out.endsWith('{') || out.endsWith('[') || out.endsWith(',')) out += `\n${INDENT.repeat(depth)}`;
    if (token === '{' || token === '[') depth += 1;
    out += token === ':' ? ': ' : token;
  }
  return out;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
