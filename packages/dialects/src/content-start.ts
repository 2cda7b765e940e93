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
