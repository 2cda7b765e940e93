import {
  HOSTED_TOOLS,
  NO_CHOICES,
  ONLY_TEXT,
  OPAQUE_CONTENT,
  STATE_REFUSED,
  type FieldMapping,
  type FieldTable,
} from '../field-table.ts';

const maps = (to: string, remark: string | null = null): FieldMapping => ({ handling: 'maps', to, remark });
const dropped = (remark: string | null = null): FieldMapping => ({ handling: 'dropped', to: null, remark });
const refused = (remark: string | null = null): FieldMapping => ({ handling: 'refused', to: null, remark });

/** How the encoder of this dialect handles each field of a request. */
export const anthropicFieldTable: FieldTable = {
  model: maps('model'),
  stream: maps('stream'),
  wantsStreamUsage: maps('message_delta.usage', 'the target always reports usage'),
  messages: maps(
    'messages, system',
    'consecutive messages of one role become one message; names of participants are dropped; a system message after the first ' +
      'turn stays in its place for Claude 4.8 and later, and becomes part of the user message for older models',
  ),
  tools: maps('tools', 'a schema without a type at its root gets the type `object`'),
  hostedTools: dropped(HOSTED_TOOLS),
  toolChoice: maps('tool_choice', '`required` becomes `any`'),
  parallelToolCalls: maps('tool_choice.disable_parallel_tool_use'),
  outputFormat: maps(
    'output_config.format',
    'a schema is always strict: objects get `additionalProperties: false`, and limits that Anthropic does not enforce, such as `minimum`, move into ' +
      'the description; `json_object` becomes an instruction in the system prompt, which the model may ignore',
  ),
  maxOutputTokens: maps('max_tokens', 'if the request has none, the model’s maximum output is sent'),
  stopSequences: maps('stop_sequences', 'a sequence that contains only whitespace is refused'),
  'sampling.temperature': maps(
    'temperature',
    'a value above 1 becomes 1 and is listed as dropped; dropped if thinking is on, and for Claude 4.7 and later',
  ),
  'sampling.topP': maps(
    'top_p',
    'dropped if the request has a temperature, for Claude 4.7 and later, and if thinking is on and the value is below 0.95',
  ),
  'sampling.topK': maps('top_k', 'dropped if thinking is on, and for Claude 4.7 and later'),
  'sampling.seed': dropped(),
  'sampling.presencePenalty': dropped(),
  'sampling.frequencyPenalty': dropped(),
  'sampling.logitBias': refused(),
  reasoning: maps(
    'thinking, output_config.effort',
    'Claude 4.6 and later think adaptively; for older models, an effort becomes a budget: a share of `max_tokens` (10 % for ' +
      'minimal, 20 % for low, 50 % for medium, 80 % for high, 95 % for higher ones), at least 1,024 and at most 32,000 tokens; ' +
      'dropped if the request forces a tool or `max_tokens` is below 1,025; a budget is also dropped between tool calls whose thinking signatures are missing',
  ),
  choices: { ...refused(NO_CHOICES), isAskable: false },
  logprobs: refused(),
  modalities: { ...refused(ONLY_TEXT), isAskable: false },
  verbosity: dropped(),
  serviceTier: maps(
    'service_tier',
    '`auto` is sent, `default` becomes `standard_only`, and other tiers are dropped',
  ),
  endUser: maps(
    'metadata.user_id',
    'dropped if it has more than 256 characters, or looks like an email address or a phone number',
  ),
  metadata: dropped(),
  promptCacheKey: {
    handling: 'maps',
    to: 'cache_control',
    from: 'metadata.user_id',
    remark: 'the gateway places cache breakpoints (see _Prompt caching_); dropped for models that get none',
  },
  extra: maps(
    'the same member',
    `other members of the request: members of the target are sent; \`web_search_options\` and an unknown \`tool_choice\` are refused; ${STATE_REFUSED}; all others are dropped`,
  ),
  'content.text': maps('text', 'text that contains only whitespace is left out'),
  'content.image': maps('image', '`detail` is dropped'),
  'content.document': maps('document', 'PDFs and text; other files are refused'),
  'content.audio': refused(),
  'content.thinking': maps('thinking', 'dropped without a signature'),
  'content.redacted_thinking': maps('redacted_thinking', 'dropped if it comes from another maker’s model'),
  'content.tool_call': maps('tool_use', 'arguments that are not JSON are sent as a string'),
  'content.refusal': maps('text'),
  'content.opaque': refused(OPAQUE_CONTENT),
};
