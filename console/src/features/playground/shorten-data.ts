const SHOWN = 32;
const LONG = 400;

/** The same body with what is in pictures cut short, to be read. */
export function shortenData(body: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, shorten(value)]));
}

function shorten(value: unknown): unknown {
  if (typeof value === 'string') return isData(value) ? `${value.slice(0, SHOWN)}…` : value;
  if (Array.isArray(value)) return value.map(shorten);
  if (typeof value !== 'object' || value === null) return value;
  return shortenData(Object.fromEntries(Object.entries(value)));
}

function isData(text: string): boolean {
  return text.length > LONG && /^(data:image\/\w+;base64,)?[\w+/=]+$/.test(text);
}
