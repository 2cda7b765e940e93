import type { Buffer } from 'node:buffer';
import type { CompletionEvent } from '@tollgate/core/completion/events';
import type { Dialect } from '@tollgate/core/models/dialect';
import { getCodec } from '../codec.ts';
import { createSseParser } from '../sse/parse-events.ts';

/** Reads a whole stream with a codec. */
export function decodeWholeStream(dialect: Dialect, body: Buffer): CompletionEvent[] {
  const parser = createSseParser();
  const decoder = getCodec(dialect).createStreamDecoder();
  const parsed = [...parser.push(body), ...parser.finish()];
  return [...parsed.flatMap((event) => decoder.push(event)), ...decoder.finish()];
}
