import { HOSTED_TOOLS, OPAQUE_CONTENT, type FieldMapping, type FieldTable } from '../field-table.ts';

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
    'consecutive messages of one role become one message; a later system message stays where it is starting with Claude ' +
      '4.8, for older models it becomes part of the user message; names of participants are dropped',
  ),
  tools: maps('tools', 'a schema without a root type gets `object`'),
  hostedTools: dropped(HOSTED_TOOLS),
  toolChoice: maps('tool_choice', '`required` becomes `any`'),
  parallelToolCalls: maps('tool_choice.disable_parallel_tool_use'),
  outputFormat: maps(
    'output_config.format',
    'always strict; objects get `additionalProperties: false`, and limits that Anthropic does not enforce move into the description; `json_object` becomes ' +
      'an instruction in the system prompt, which is not enforced',
  ),
  maxOutputTokens: maps('max_tokens', 'the model’s limit if the request has none'),
  stopSequences: maps('stop_sequences', 'a sequence of only whitespace is refused'),
  'sampling.temperature': maps(
    'temperature',
    'above 1 it becomes 1 and is listed as dropped; dropped with thinking and starting with Claude 4.7',
  ),
  'sampling.topP': maps(
    'top_p',
    'dropped with a temperature, below 0.95 with thinking, and starting with Claude 4.7',
  ),
  'sampling.topK': maps('top_k', 'dropped with thinking and starting with Claude 4.7'),
  'sampling.seed': dropped(),
  'sampling.presencePenalty': dropped(),
  'sampling.frequencyPenalty': dropped(),
  'sampling.logitBias': refused(),
  reasoning: maps(
    'thinking, output_config.effort',
    'adaptive starting with Claude 4.6; for older models, an effort becomes a budget as a share of `max_tokens` (10 % for ' +
      'minimal, 20 % for low, 50 % for medium, 80 % for high, 95 % for higher ones; 1,024 to 32,000 tokens); dropped with a forced tool, with `max_tokens` below 1,025, ' +
      'and with a budget if a tool loop lacks its thinking signatures',
  ),
  choices: refused('above 1'),
  logprobs: refused(),
  modalities: refused('except `text`'),
  verbosity: dropped(),
  serviceTier: maps('service_tier', '`auto`; `default` becomes `standard_only`; others are dropped'),
  endUser: maps('metadata.user_id'),
  metadata: dropped(),
  promptCacheKey: {
    handling: 'maps',
    to: 'cache_control',
    from: 'metadata.user_id',
    remark: 'a reason to place cache breakpoints; dropped for models that get none',
  },
  extra: maps(
    'the same member',
    'members of the target; `web_search_options`, `previous_response_id`, `conversation`, `prompt`, `background` and an unknown `tool_choice` are refused; others are dropped',
  ),
  'content.text': maps('text', 'text of only whitespace is left out'),
  'content.image': maps('image', '`detail` is dropped'),
  'content.document': maps('document', 'PDFs and text; other files are refused'),
  'content.audio': refused(),
  'content.thinking': maps('thinking', 'dropped without a signature'),
  'content.redacted_thinking': maps('redacted_thinking', 'dropped if it comes from another maker’s model'),
  'content.tool_call': maps('tool_use', 'arguments that are not JSON are sent as a string'),
  'content.refusal': maps('text'),
  'content.opaque': refused(OPAQUE_CONTENT),
};
