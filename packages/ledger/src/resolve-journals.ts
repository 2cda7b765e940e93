import { readFileSync } from 'node:fs';
import { decodeHeader, type RecordFile } from './record-files.ts';
import { decodeRecord } from './spooled-record.ts';

/**
 * Reads the journals that replicas have left.
 * @param journals those of one owner in the order in which they were written
 * @param onUnreadable called with each line that is no settlement; a killed process leaves none, a power cut may
 * @returns the last line of each request: what is known of how it ended
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
