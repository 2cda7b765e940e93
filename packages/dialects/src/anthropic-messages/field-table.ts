import type { FieldMapping, FieldTable } from '../field-table.ts';

const maps = (to: string, remark: string | null = null): FieldMapping => ({ fate: 'maps', to, remark });
const dropped = (remark: string | null = null): FieldMapping => ({ fate: 'dropped', to: null, remark });
const refused = (remark: string | null = null): FieldMapping => ({ fate: 'refused', to: null, remark });

/** How the encoder of this dialect maps each field of a request. */
export const anthropicFieldTable: FieldTable = {
  model: maps('model'),
  stream: maps('stream'),
  wantsStreamUsage: maps('message_delta.usage', 'this dialect always tells it'),
  messages: maps(
    'messages, system',
    'messages of one side become one turn; a system message in the midst stays one from Claude 4.8 on, and is said in ' +
      'the user’s turn before; names are dropped',
  ),
  tools: maps('tools', 'a schema without a type at its root gets `object`'),
  hostedTools: refused('but for this dialect’s own'),
  toolChoice: maps('tool_choice', '`required` is `any`'),
  parallelToolCalls: maps('tool_choice.disable_parallel_tool_use'),
  outputFormat: maps(
    'output_config.format',
    'always strict; objects are closed, and limits that are not enforced go into the description; `json_object` becomes ' +
      'an instruction in the system prompt, which is not enforced',
  ),
  maxOutputTokens: maps('max_tokens', 'the model’s own limit where the request names none'),
  stopSequences: maps('stop_sequences', 'one of nothing but blanks is refused'),
  'sampling.temperature': maps(
    'temperature',
    'above 1 it becomes 1 and is named; dropped beside thinking and from Claude 4.7 on',
  ),
  'sampling.topP': maps(
    'top_p',
    'dropped beside a temperature, below 0.95 beside thinking, and from Claude 4.7 on',
  ),
  'sampling.topK': maps('top_k', 'dropped beside thinking and from Claude 4.7 on'),
  'sampling.seed': dropped(),
  'sampling.presencePenalty': dropped(),
  'sampling.frequencyPenalty': dropped(),
  'sampling.logitBias': refused(),
  reasoning: maps(
    'thinking, output_config.effort',
    'adaptive from Claude 4.6 on; before, an effort is a share of max_tokens (minimal 10 %, low 20 %, medium 50 %, high ' +
      '80 %, above 95 %; 1,024 to 32,000 tokens); dropped beside a forced tool, in answers of less than 1,025 tokens, ' +
      'and with a budget where a tool loop lacks its signed thoughts',
  ),
  choices: refused('above 1'),
  logprobs: refused(),
  modalities: refused('all but `text`'),
  verbosity: dropped(),
  serviceTier: maps('service_tier', '`auto`; `default` is `standard_only`; others are dropped'),
  endUser: maps('metadata.user_id'),
  metadata: dropped(),
  promptCacheKey: dropped(),
  extra: maps(
    'the same member',
    'this dialect’s own; `web_search_options` and what makes a response depend on another is refused, the rest dropped',
  ),
  'content.text': maps('text', 'text of nothing but blanks is left out'),
  'content.image': maps('image', 'the detail is dropped'),
  'content.document': maps('document', 'PDFs and text; other files are refused'),
  'content.audio': refused(),
  'content.thinking': maps('thinking', 'dropped without a signature'),
  'content.redacted_thinking': maps('redacted_thinking', 'dropped where another maker’s model thought it'),
  'content.tool_call': maps('tool_use', 'arguments that are no JSON go in as text'),
  'content.refusal': maps('text'),
  'content.opaque': refused('but for this dialect’s own'),
};
