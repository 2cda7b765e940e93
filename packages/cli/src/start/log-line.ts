import { z } from 'zod';

/** pino's level numbers: https://getpino.io/#/docs/api?id=loggerlevels-object */
const LEVELS = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60, silent: 100 } as const;
export type LogLevel = keyof typeof LEVELS;

const LEVEL_PATTERN = /^\{"level":(\d{2,3}),/;
const entrySchema = z.object({
  level: z.number(),
  time: z.number(),
  msg: z.string().default(''),
  worker: z.number().optional(),
  err: z.object({ message: z.string() }).optional(),
});

/**
 * Formats a service's log line for the terminal.
 * @returns null for an entry below `least`; a line that is not a log entry is returned unchanged
 */
export function formatLogLine(service: string, line: string, least: LogLevel): string | null {
  const level = Number(LEVEL_PATTERN.exec(line)?.[1] ?? Number.NaN);
  // Skips parsing for most lines: a busy API writes thousands per second.
  if (level < LEVELS[least]) return null;
  const entry = Number.isNaN(level) ? null : parseEntry(line);
  if (entry === null) return line.trim() === '' ? null : `${service}: ${line}`;
  const time = new Date(entry.time).toTimeString().slice(0, 8);
  const cause = entry.err === undefined || entry.err.message === entry.msg ? '' : ` (${entry.err.message})`;
  const writer = entry.worker === undefined ? service : `${service} ${entry.worker}`;
  return `${time} ${writer} ${getName(entry.level)}: ${entry.msg}${cause}`;
}

function parseEntry(line: string): z.infer<typeof entrySchema> | null {
  try {
    return entrySchema.parse(JSON.parse(line));
  } catch {
    return null;
  }
}

function getName(level: number): string {
  const found = Object.entries(LEVELS).findLast(([, value]) => value <= level);
  return found?.[0] ?? 'log';
}
