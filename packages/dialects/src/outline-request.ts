import type { AssistantPart, TextPart, ToolCallPart } from '@tollgate/core/completion/content';
import type {
  CompletionRequest,
  Message,
  ToolChoice,
  ToolDefinition,
} from '@tollgate/core/completion/request';
import type { Dialect } from '@tollgate/core/models/dialect';
import { EncodeReport } from './encode-report.ts';
import { findLastTurn } from './last-turn.ts';
import { portableRequest } from './portable-tools/portable-request.ts';
import { isOwnReasoning, isReasoning } from './thinking-signature.ts';

const TEXT: TextPart = { type: 'text', text: '.', citations: [], cache: null };
const TOOL: ToolDefinition = { name: 'tool', description: null, parameters: null, strict: null, cache: null };
const CALL: ToolCallPart = { type: 'tool_call', id: 'call_1', name: TOOL.name, arguments: '{}', cache: null };
const RESULT: Message = { role: 'tool', callId: CALL.id, content: [TEXT], isError: false, cache: null };

/**
 * The small part of a request that decides which of its members depend on the output limit: its reasoning setting, its
 * sampling and whether it is in a tool loop, without texts, schemas and files. An encoder writes it in microseconds, and
 * it differs between two limits in the same members as the whole request.
 * @param target the dialect in which it will be written
 */
export function outlineRequest(given: CompletionRequest, target: Dialect): CompletionRequest {
  const request = portableRequest(given, target, new EncodeReport());
  const { tools, hostedTools, sampling } = request;
  const hasTools = tools.length + hostedTools.length > 0;
  return {
    ...request,
    messages: outlineConversation(request.messages),
    tools: hasTools ? [TOOL] : [],
    hostedTools: [],
    toolChoice: hasTools ? outlineChoice(request.toolChoice) : null,
    outputFormat: { type: 'text' },
    stopSequences: [],
    sampling: { ...sampling, logitBias: null },
    choices: 1,
    logprobs: null,
    modalities: ['text'],
    endUser: null,
    metadata: null,
    promptCacheKey: null,
    extra: {},
  };
}

const outlineChoice = (choice: ToolChoice | null): ToolChoice | null =>
  choice?.type === 'tool' ? { type: 'required' } : choice;

/** The last turn of the model, which a provider may refuse to continue with reasoning. */
function outlineConversation(messages: readonly Message[]): Message[] {
  const question: Message = { role: 'user', name: null, content: [TEXT] };
  const turn = findLastTurn(messages);
  if (turn === null) return [question];
  const { parts, hasResults } = turn;
  const first = parts.find((part) => !isReasoning(part) || isOwnReasoning(part));
  const calls = parts.some(({ type }) => type === 'tool_call') ? [CALL] : [];
  const content = first === undefined || first.type === 'tool_call' ? calls : [outlinePart(first), ...calls];
  return [
    question,
    { role: 'assistant', name: null, content: content.length === 0 ? [TEXT] : content },
    hasResults ? RESULT : question,
  ];
}

const outlinePart = (part: AssistantPart): AssistantPart =>
  isReasoning(part) ? { type: 'redacted_thinking', data: 'reasoning' } : TEXT;
