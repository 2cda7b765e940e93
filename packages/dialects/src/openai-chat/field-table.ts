import {
  HOSTED_TOOLS,
  OPAQUE_CONTENT,
  PROMPT_CACHE_KEY,
  REASONING_EFFORT,
  SERVICE_TIER,
  STATE_REFUSED,
  type FieldMapping,
  type FieldTable,
} from '../field-table.ts';

const maps = (to: string, remark: string | null = null): FieldMapping => ({ handling: 'maps', to, remark });
const dropped = (remark: string | null = null): FieldMapping => ({ handling: 'dropped', to: null, remark });
const refused = (remark: string | null = null): FieldMapping => ({ handling: 'refused', to: null, remark });

/** How the encoder of this dialect handles each field, for OpenAI; presets of other providers may accept more. */
export const openAiChatFieldTable: FieldTable = {
  model: maps('model'),
  stream: maps('stream'),
  wantsStreamUsage: maps(
    'stream_options.include_usage',
    'always requested; returned only if the caller requested it',
  ),
  messages: maps('messages', 'images and files of tool results follow in a user message'),
  tools: maps('tools', 'a name above 64 characters is shortened; responses contain the caller’s name'),
  hostedTools: dropped(HOSTED_TOOLS),
  toolChoice: maps('tool_choice'),
  parallelToolCalls: maps('parallel_tool_calls'),
  outputFormat: maps('response_format', 'a schema without a name is called `answer`'),
  maxOutputTokens: maps('max_completion_tokens', 'as `max_tokens` to providers that know only this name'),
  stopSequences: maps('stop', 'more than four are refused'),
  'sampling.temperature': maps('temperature'),
  'sampling.topP': maps('top_p'),
  'sampling.topK': dropped('sent to providers that accept `top_k`'),
  'sampling.seed': maps('seed'),
  'sampling.presencePenalty': maps('presence_penalty'),
  'sampling.frequencyPenalty': maps('frequency_penalty'),
  'sampling.logitBias': maps('logit_bias'),
  reasoning: maps('reasoning_effort', REASONING_EFFORT),
  choices: maps('n'),
  logprobs: maps('logprobs', 'together with `top_logprobs`'),
  modalities: maps('modalities'),
  verbosity: maps('verbosity'),
  serviceTier: maps('service_tier', SERVICE_TIER),
  endUser: maps('user', 'dropped if it has more than 64 characters'),
  metadata: maps('metadata'),
  promptCacheKey: maps('prompt_cache_key', PROMPT_CACHE_KEY),
  extra: dropped(
    `other members of the request: members of the target are sent; \`mcp_servers\`, \`container\` and an unknown \`tool_choice\` are refused; ${STATE_REFUSED}`,
  ),
  'content.text': maps('text', 'cache breakpoints are dropped: prompts are cached automatically'),
  'content.image': maps('image_url', 'an image with the id of an uploaded file is refused'),
  'content.document': maps(
    'file',
    'plain text becomes a text part; its `context` is written before it; a document with a URL or with citations is refused',
  ),
  'content.audio': maps('input_audio'),
  'content.thinking': dropped(
    'sent as `reasoning_details` or `reasoning_content` to providers that accept them',
  ),
  'content.redacted_thinking': dropped('sent as `reasoning_details` to providers that accept them'),
  'content.tool_call': maps('tool_calls'),
  'content.refusal': maps('refusal'),
  'content.opaque': refused(OPAQUE_CONTENT),
};
