/** One event as it stands on the wire: the name that it bears, and its data. */
export interface PlainEvent {
  name: string | null;
  data: string;
}

/**
 * Reads a whole stream the plainest way, and strictly: what the gateway generates has one `data:` line in each event,
 * at most one `event:` line before it, and a blank line behind it. Comments count for nothing.
 */
export function parseSse(body: string): { events: PlainEvent[]; faults: string[] } {
  const events: PlainEvent[] = [];
  const faults: string[] = [];
  const blocks = body.split('\n\n');
  if (blocks.pop() !== '') faults.push('the stream: must end with a blank line');
  for (const block of blocks) {
    if (block.startsWith(': ') && !block.includes('\n')) continue;
    const found = /^(?:event: (?<name>[^\n]+)\n)?data: (?<data>[^\n]+)$/.exec(block);
    const data = found?.groups?.['data'];
    if (data === undefined)
      faults.push(`the stream: cannot be read at ${JSON.stringify(block.slice(0, 80))}`);
    else events.push({ name: found?.groups?.['name'] ?? null, data });
  }
  return { events, faults };
}

/** @returns null where it is no JSON object */
export function parseData(data: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
