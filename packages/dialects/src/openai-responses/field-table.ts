import {
  APPLIED_STOPS,
  HOSTED_TOOLS,
  NO_CHOICES,
  ONLY_TEXT,
  OPAQUE_CONTENT,
  PROMPT_CACHE_KEY,
  REASONING_EFFORT,
  SERVICE_TIER,
  type FieldMapping,
  type FieldTable,
} from '../field-table.ts';

const maps = (to: string, remark: string | null = null): FieldMapping => ({ handling: 'maps', to, remark });
const dropped = (remark: string | null = null): FieldMapping => ({ handling: 'dropped', to: null, remark });
const applied = (remark: string): FieldMapping => ({ handling: 'applied', to: null, remark });
const refused = (remark: string | null = null): FieldMapping => ({ handling: 'refused', to: null, remark });

/** How the encoder of this dialect handles each field of a request. */
export const openAiResponsesFieldTable: FieldTable = {
  model: maps('model'),
  stream: maps('stream'),
  wantsStreamUsage: maps('response.completed', 'the target always reports usage'),
  messages: maps(
    'input',
    'an assistant message becomes several items; names of participants are dropped; a failed tool result starts with `Error:`',
  ),
  tools: maps('tools', '`strict` defaults to false, as in the other dialects'),
  hostedTools: dropped(HOSTED_TOOLS),
  toolChoice: maps('tool_choice'),
  parallelToolCalls: maps('parallel_tool_calls'),
  outputFormat: maps('text.format', 'a schema without a name is called `answer`'),
  maxOutputTokens: maps('max_output_tokens', 'OpenAI rejects values below 16'),
  stopSequences: applied(APPLIED_STOPS),
  'sampling.temperature': maps('temperature'),
  'sampling.topP': maps('top_p'),
  'sampling.topK': dropped(),
  'sampling.seed': dropped(),
  'sampling.presencePenalty': dropped(),
  'sampling.frequencyPenalty': dropped(),
  'sampling.logitBias': refused(),
  reasoning: maps('reasoning.effort', REASONING_EFFORT),
  choices: { ...refused(NO_CHOICES), isAskable: false },
  logprobs: maps('include', 'together with `top_logprobs`'),
  modalities: { ...refused(ONLY_TEXT), isAskable: false },
  verbosity: maps('text.verbosity'),
  serviceTier: maps('service_tier', SERVICE_TIER),
  endUser: maps('safety_identifier', 'dropped if it has more than 64 characters'),
  metadata: maps('metadata'),
  promptCacheKey: maps('prompt_cache_key', PROMPT_CACHE_KEY),
  extra: dropped(
    'other members of the request: members of the target are sent; `mcp_servers`, `container`, `web_search_options` and `audio` are refused',
  ),
  'content.text': maps(
    'input_text, output_text',
    'cache breakpoints are dropped: prompts are cached automatically',
  ),
  'content.image': maps('input_image'),
  'content.document': maps(
    'input_file',
    'plain text becomes a text part; its `context` is written before it; a document with citations is refused',
  ),
  'content.audio': refused(),
  'content.thinking': maps(
    'reasoning',
    'dropped if OpenAI did not encrypt it, or if nothing of the model follows it',
  ),
  'content.redacted_thinking': maps(
    'reasoning',
    'dropped if OpenAI did not encrypt it, or if nothing of the model follows it',
  ),
  'content.tool_call': maps('function_call'),
  'content.refusal': maps('refusal'),
  'content.opaque': refused(OPAQUE_CONTENT),
};
