import { readFileSync } from 'node:fs';
import { decodeHeader, type RecordFile } from './record-files.ts';
import { decodeRecord } from './spooled-record.ts';

/**
 * Reads the journals of stopped replicas.
 * @param journals one owner's files in write order
 * @param onUnreadable called for each invalid line. A kill during a write leaves one at the end, of a response that was not
 *   complete; a power loss leaves any
 * @returns the last line of each request
 */
export function resolveJournals(
  journals: readonly RecordFile[],
  onUnreadable: (file: string, line: string) => void,
): string[] {
  const last = new Map<string, string>();
  for (const { file } of journals) {
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      if (line === '' || decodeHeader(line) !== null) continue;
      const record = decodeRecord(line);
      if (record === null) onUnreadable(file, line);
      else last.set(record.id, line);
    }
  }
  return [...last.values()];
}
