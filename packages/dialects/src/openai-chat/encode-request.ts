import type { CompletionRequest } from '@tollgate/core/completion/request';
import type { Encoded } from '../encoded.ts';
import type { JsonObject } from '../json/parse-object.ts';
import { encodeExtra } from './encode-extra.ts';
import { encodeMessages } from './encode-messages.ts';
import { EncodeNotes } from './encode-notes.ts';
import { encodeSettings } from './encode-settings.ts';
import { encodeTools } from './encode-tools.ts';
import { NO_QUIRKS, type ProviderQuirks } from './provider-quirks.ts';

/**
 * Writes a body for `POST /chat/completions`. A stream always requests its usage.
 * @param quirks the provider's quirks; OpenAI's by default
 * @returns `unsupported_parameter` if the dialect cannot express what the answer depends on
 */
export function encodeOpenAiChatRequest(
  request: CompletionRequest,
  quirks: ProviderQuirks = NO_QUIRKS,
): Encoded {
  const notes = new EncodeNotes(quirks, request.model);
  const body: JsonObject = {
    model: request.model,
    messages: encodeMessages(request.messages, notes),
    ...(request.stream ? { stream: true, stream_options: { include_usage: true } } : {}),
    ...encodeTools(request, notes),
    ...encodeSettings(request, notes),
    ...encodeExtra(request.extra, notes),
  };
  for (const name of quirks.omits) {
    if (body[name] === undefined) continue;
    if (name !== 'stream_options') notes.drop(name);
    delete body[name];
  }
  if (notes.refusal !== null) return { ok: false, error: notes.refusal };
  return { ok: true, body, dropped: notes.dropped };
}
