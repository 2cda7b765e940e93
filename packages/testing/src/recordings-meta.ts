import { asObject } from './fake-provider/parse-completion-request.ts';
import type { FakeDialect } from './fake-provider/script.ts';

export type RecordedDialect = FakeDialect | 'openai-responses';

const DIALECTS: readonly RecordedDialect[] = ['openai-chat', 'anthropic-messages', 'openai-responses'];

export interface RecordingMeta {
  /** null: not supported by the gateway. */
  dialect: RecordedDialect | null;
  isStream: boolean;
  status: number;
  responseHeaders: Record<string, string>;
  covers: string[];
}

/** @throws Error if a field is missing or has another type */
export function parseRecordingMeta(text: string): RecordingMeta {
  const meta = asObject(JSON.parse(text));
  const { dialect, stream, status, covers } = meta;
  if (typeof stream !== 'boolean' || typeof status !== 'number')
    throw new Error(`A recording lacks "stream" or "status": ${text.slice(0, 80)}`);
  return {
    dialect: DIALECTS.find((known) => known === dialect) ?? null,
    isStream: stream,
    status,
    responseHeaders: Object.fromEntries(
      Object.entries(asObject(meta.response_headers)).map(([name, value]) => [name, String(value)]),
    ),
    covers: Array.isArray(covers) ? covers.map(String) : [],
  };
}
