import type { JsonObject } from '../json/parse-object.ts';

/** One event of a stream; its name is the type of its data. */
export function writeEvent(data: JsonObject & { type: string }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}

export const PING_EVENT = writeEvent({ type: 'ping' });

/**
 * A delta that adds to a string, which nearly all of a stream is: written without building objects.
 * @param key the member that holds the fragment: `text`
 */
export function writeDelta(index: number, type: string, key: string, fragment: string): string {
  return (
    'event: content_block_delta\ndata: {"type":"content_block_delta","index":' +
    `${index},"delta":{"type":"${type}","${key}":${JSON.stringify(fragment)}}}\n\n`
  );
}
