import { Buffer } from 'node:buffer';
import type { CompletionRequest, Message } from '@tollgate/core/completion/request';
import type { Result } from '@tollgate/core/errors/errors';
import { unpackCallId } from '../../call-id.ts';
import { JsonObjectBytes } from '../../json/edit-members.ts';
import type { JsonObject } from '../../json/parse-object.ts';
import { decodeOpenAiChatRequest } from '../decode-request.ts';
import { encodeOpenAiChatRequest } from '../encode-request.ts';
import { getEffort } from '../encode-settings.ts';
import { applyProviderQuirks } from './apply-provider-quirks.ts';
import type { QuirkTarget } from './fit-conversation.ts';
import type { ProviderQuirks } from './provider-quirks.ts';

/** What a provider is sent. */
interface Sent {
  bytes: Buffer;
  body: JsonObject;
  dropped: readonly string[];
}

/** The caller's body, changed for a provider of the same dialect. */
export function passThrough(text: string, target: QuirkTarget): Result<Sent> {
  const body = new JsonObjectBytes(Buffer.from(text));
  const applied = applyProviderQuirks(body, { drops: [], changes: {} }, target);
  if (!applied.ok) return applied;
  const { edits, dropped } = applied.value;
  const bytes = body.edit(edits);
  return { ok: true, value: { bytes, body: JSON.parse(bytes.toString()), dropped } };
}

/** The same body, read and written again. */
export function translate(text: string, { quirks, model }: QuirkTarget): Result<Sent> {
  const encoded = encodeOpenAiChatRequest({ ...decode(JSON.parse(text)), model }, quirks);
  if (!encoded.ok) return encoded;
  const bytes = Buffer.from(JSON.stringify(encoded.body));
  return { ok: true, value: { bytes, body: JSON.parse(bytes.toString()), dropped: encoded.dropped } };
}

function decode(body: JsonObject): CompletionRequest {
  const decoded = decodeOpenAiChatRequest(body);
  if (!decoded.ok) throw new Error(`${decoded.error.param}: ${decoded.error.message}`);
  return decoded.value;
}

/**
 * What a body means for its provider. Declared equal:
 * - the forms that the decoder reads as one, such as a text and a list of this text;
 * - ids of calls that differ only by name;
 * - a budget of reasoning and its effort, if the provider takes no budget;
 * - `stream_options`, which the gateway sets itself, and members that no dialect knows: passthrough forwards them.
 */
export function getMeaning(body: JsonObject, { reasoningMember }: ProviderQuirks) {
  const { model: _model, wantsStreamUsage: _usage, extra: _extra, reasoning, ...request } = decode(body);
  const isBudget = reasoning?.type === 'budget' && reasoningMember !== 'reasoning';
  const effort = isBudget ? getEffort(reasoning) : null;
  return {
    ...request,
    reasoning: effort === null ? reasoning : { type: 'effort', effort },
    messages: renameCalls(request.messages),
  };
}

function renameCalls(messages: readonly Message[]) {
  const names = new Map<string, string>();
  const rename = (packed: string) => {
    const { id, signature } = unpackCallId(packed);
    const name = names.get(id) ?? `call ${names.size}`;
    names.set(id, name);
    return { name, signature };
  };
  return messages.map((message) => {
    if (message.role === 'tool') return { ...message, callId: rename(message.callId) };
    if (message.role !== 'assistant') return message;
    const content = message.content.map((part) =>
      part.type === 'tool_call' ? { ...part, id: rename(part.id) } : part,
    );
    return { ...message, content };
  });
}
