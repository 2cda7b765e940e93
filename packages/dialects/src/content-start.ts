import type { Dialect } from '@tollgate/core/models/dialect';

/**
 * Finds the start of content that has no text yet: a tool call, reasoning, an image. Text starts empty, so its start says
 * nothing.
 */
export const CONTENT_START: Record<Dialect, RegExp> = {
  'openai-chat': /"(?:tool_calls|images)"\s*:\s*\[\s*\{|"(?:function_call|audio)"\s*:\s*\{\s*"/,
  'anthropic-messages': /"content_block"\s*:\s*\{\s*"type"\s*:\s*"(?!text")/,
  // A response repeats the tools of its request, which have other types.
  'openai-responses': /"type"\s*:\s*"(?:reasoning|compaction|[a-z_]+_call)"/,
};

/** Finds text in the delta of a stream, of the response or of its reasoning. */
const TEXT_DELTA: Record<Dialect, RegExp> = {
  'openai-chat': /"(?:content|reasoning|reasoning_content|refusal)"\s*:\s*"(?!")/,
  'anthropic-messages': /"type"\s*:\s*"(?:text|thinking|input_json)_delta"/,
  'openai-responses': /"type"\s*:\s*"response\.[a-z_.]+\.delta"/,
};

/** True if a part of a stream has text, a tool call, reasoning or an image. */
export function hasContent(dialect: Dialect, events: string): boolean {
  return TEXT_DELTA[dialect].test(events) || CONTENT_START[dialect].test(events);
}
