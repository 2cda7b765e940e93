import type { Buffer } from 'node:buffer';
import type { JsonObject } from '../json/parse-object.ts';
import { hidesSecret, mayHaveError, redactErrorEvent, redactErrors } from '../json/redact-errors.ts';
import type { EventSpan } from './event-around.ts';
import { rewriteEvent } from './replace-events.ts';

/** @returns the event without credentials, one character for each byte; null: it has none */
export function redactEvent(
  block: Buffer,
  { start, end, data }: EventSpan,
  { event, isError }: { event: JsonObject; isError: boolean },
  redact: (text: string) => string,
): string | null {
  if (!isError && !mayHaveError(data)) return null;
  const redacted = isError ? redactErrorEvent(event, redact) : redactErrors(event, redact);
  if (redacted === event && !hidesSecret(data, event, redact)) return null;
  return rewriteEvent(block, { start, end }, JSON.stringify(redacted));
}
