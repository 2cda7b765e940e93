import type { FieldMapping, FieldTable } from '../field-table.ts';

const maps = (to: string, remark: string | null = null): FieldMapping => ({ fate: 'maps', to, remark });
const dropped = (remark: string | null = null): FieldMapping => ({ fate: 'dropped', to: null, remark });
const refused = (remark: string | null = null): FieldMapping => ({ fate: 'refused', to: null, remark });

/** How the encoder of this dialect maps each field, for OpenAI itself; presets of other providers may take more. */
export const openAiChatFieldTable: FieldTable = {
  model: maps('model'),
  stream: maps('stream'),
  wantsStreamUsage: maps('stream_options.include_usage', 'always asked for; shown to the caller who asked'),
  messages: maps('messages', 'images and files of tool results follow in a message of the user'),
  tools: maps('tools'),
  hostedTools: refused('except those of this dialect (`web_search_options`, custom tools)'),
  toolChoice: maps('tool_choice'),
  parallelToolCalls: maps('parallel_tool_calls'),
  outputFormat: maps('response_format', 'a schema without a name is called `answer`'),
  maxOutputTokens: maps('max_completion_tokens', '`max_tokens` for providers that know no other'),
  stopSequences: maps('stop', 'more than four are refused'),
  'sampling.temperature': maps('temperature'),
  'sampling.topP': maps('top_p'),
  'sampling.topK': dropped('sent to providers that take `top_k`'),
  'sampling.seed': maps('seed'),
  'sampling.presencePenalty': maps('presence_penalty'),
  'sampling.frequencyPenalty': maps('frequency_penalty'),
  'sampling.logitBias': maps('logit_bias'),
  reasoning: maps(
    'reasoning_effort',
    'a budget up to 1,024 tokens is `low`, up to 8,192 `medium`, above `high`; thinking turned off is left to the model',
  ),
  choices: maps('n'),
  logprobs: maps('logprobs', 'with `top_logprobs`'),
  modalities: maps('modalities'),
  verbosity: maps('verbosity'),
  serviceTier: maps(
    'service_tier',
    '`standard_only` becomes `default`; tiers that OpenAI does not know are dropped',
  ),
  endUser: maps('user', 'dropped where it has more than 64 characters'),
  metadata: maps('metadata'),
  promptCacheKey: maps('prompt_cache_key', 'dropped where it has more than 64 characters'),
  extra: dropped('except members of this dialect; `mcp_servers`, `container` and the like are refused'),
  'content.text': maps('text', 'cache breakpoints are dropped: prompts are cached by themselves'),
  'content.image': maps('image_url', 'an image by the id of an uploaded file is refused'),
  'content.document': maps(
    'file',
    'plain text becomes a text part; its context goes before it; a document by URL or with citations is refused',
  ),
  'content.audio': maps('input_audio'),
  'content.thinking': dropped(
    'sent as `reasoning_details` or `reasoning_content` to providers that take them',
  ),
  'content.redacted_thinking': dropped('sent as `reasoning_details` to providers that take them'),
  'content.tool_call': maps('tool_calls'),
  'content.refusal': maps('refusal'),
  'content.opaque': refused('except parts of this dialect'),
};
