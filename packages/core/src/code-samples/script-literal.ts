const INDENT = '  ';

/** Writes a JSON value in TypeScript style: unquoted names, on one line if it fits. */
export function scriptLiteral(value: unknown, depth = 0): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  const isList = Array.isArray(value);
  const items = isList
    ? value.map((item) => scriptLiteral(item, depth + 1))
    : Object.entries(value).map(([name, item]) => `${getName(name)}: ${scriptLiteral(item, depth + 1)}`);
  if (items.length === 0) return isList ? '[]' : '{}';
  const line = isList ? `[${items.join(', ')}]` : `{ ${items.join(', ')} }`;
  if (line.length <= 60 && !line.includes('\n')) return line;
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  const inner = INDENT.repeat(depth + 1);
  return `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${INDENT.repeat(depth)}${close}`;
}

function getName(name: string): string {
  // `__proto__` as a bare name would set the prototype.
  return /^[A-Za-z_$][\w$]*$/.test(name) && name !== '__proto__' ? name : `[${JSON.stringify(name)}]`;
}
