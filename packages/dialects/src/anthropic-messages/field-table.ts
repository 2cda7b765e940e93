import { HOSTED_TOOLS, OPAQUE_CONTENT, type FieldMapping, type FieldTable } from '../field-table.ts';

const maps = (to: string, remark: string | null = null): FieldMapping => ({ fate: 'maps', to, remark });
const dropped = (remark: string | null = null): FieldMapping => ({ fate: 'dropped', to: null, remark });
const refused = (remark: string | null = null): FieldMapping => ({ fate: 'refused', to: null, remark });

/** How the encoder of this dialect handles each field of a request. */
export const anthropicFieldTable: FieldTable = {
  model: maps('model'),
  stream: maps('stream'),
  wantsStreamUsage: maps('message_delta.usage', 'this dialect always reports it'),
  messages: maps(
    'messages, system',
    'consecutive messages of one role become one turn; starting with Claude 4.8 a later system message stays one, else it ' +
      'moves into the user’s turn; names are dropped',
  ),
  tools: maps('tools', 'a schema without a root type gets `object`'),
  hostedTools: dropped(HOSTED_TOOLS),
  toolChoice: maps('tool_choice', '`required` becomes `any`'),
  parallelToolCalls: maps('tool_choice.disable_parallel_tool_use'),
  outputFormat: maps(
    'output_config.format',
    'always strict; objects are closed, and limits that are not enforced move into the description; `json_object` becomes ' +
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
    'adaptive starting with Claude 4.6; before, an effort is a share of max_tokens (minimal 10 %, low 20 %, medium 50 %, ' +
      'high 80 %, above 95 %; 1,024 to 32,000 tokens); dropped with a forced tool, with max_tokens below 1,025, ' +
      'and with a budget if a tool loop lacks its thinking signatures',
  ),
  choices: refused('above 1'),
  logprobs: refused(),
  modalities: refused('except `text`'),
  verbosity: dropped(),
  serviceTier: maps('service_tier', '`auto`; `default` becomes `standard_only`; others are dropped'),
  endUser: maps('metadata.user_id'),
  metadata: dropped(),
  promptCacheKey: dropped(),
  extra: maps(
    'the same member',
    'members of this dialect; `web_search_options` and members that make a response depend on another are refused; others are dropped',
  ),
  'content.text': maps('text', 'text of only whitespace is left out'),
  'content.image': maps('image', 'the detail is dropped'),
  'content.document': maps('document', 'PDFs and text; other files are refused'),
  'content.audio': refused(),
  'content.thinking': maps('thinking', 'dropped without a signature'),
  'content.redacted_thinking': maps('redacted_thinking', 'dropped if it comes from another maker’s model'),
  'content.tool_call': maps('tool_use', 'arguments that are not JSON are sent as text'),
  'content.refusal': maps('text'),
  'content.opaque': refused(OPAQUE_CONTENT),
};
