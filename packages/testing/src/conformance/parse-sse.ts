/** One event as sent: its name and its data. */
export interface PlainEvent {
  name: string | null;
  data: string;
}

/**
 * Parses a whole stream strictly: events of the gateway have one `data:` line, at most one `event:` line before it, and a
 * blank line after it. Comment lines before them are ignored; on their own they would be an empty event.
 */
export function parseSse(body: string): { events: PlainEvent[]; violations: string[] } {
  const events: PlainEvent[] = [];
  const violations: string[] = [];
  const blocks = body.split('\n\n');
  if (blocks.pop() !== '') violations.push('the stream: must end with a blank line');
  for (const block of blocks) {
    const found = /^(?:: [^\n]*\n)*(?:event: (?<name>[^\n]+)\n)?data: (?<data>[^\n]+)$/.exec(block);
    const data = found?.groups?.['data'];
    if (data === undefined)
      violations.push(`the stream: cannot be read at ${JSON.stringify(block.slice(0, 80))}`);
    else events.push({ name: found?.groups?.['name'] ?? null, data });
  }
  return { events, violations };
}

/** @returns null if it is not a JSON object */
export function parseData(data: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
