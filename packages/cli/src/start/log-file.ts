import { createWriteStream, mkdirSync, renameSync, statSync, type WriteStream } from 'node:fs';
import path from 'node:path';

const MAX_BYTES = 10_000_000;

/** Appends lines to a file. A full file is renamed to `.1`, replacing the previous one. */
export interface LogFile {
  readonly path: string;
  write(line: string): void;
  close(): void;
}

export function openLogFile(file: string): LogFile {
  mkdirSync(path.dirname(file), { recursive: true });
  let bytes = getSize(file);
  let stream = open(file);
  return {
    path: file,
    write(line) {
      if (bytes > MAX_BYTES) {
        stream.end();
        renameSync(file, `${file}.1`);
        stream = open(file);
        bytes = 0;
      }
      bytes += Buffer.byteLength(line) + 1;
      stream.write(`${line}\n`);
    },
    close: () => void stream.end(),
  };
}

function open(file: string): WriteStream {
  // A full disk must not stop the services.
  return createWriteStream(file, { flags: 'a', mode: 0o600 }).on('error', () => undefined);
}

function getSize(file: string): number {
  try {
    return statSync(file).size;
  } catch {
    return 0;
  }
}
