import type { AssistantPart, ToolResultContent, UserPart } from '@tollgate/core/completion/content';
import type { CompletionRequest, Message } from '@tollgate/core/completion/request';
import { estimateAudioTokens, estimateDocumentTokens, estimateImageTokens } from './media-tokens.ts';

/** Encrypted reasoning carries more than its text, in base64. */
const CHARACTERS_PER_SEALED_TOKEN = 32;

/** The parts of a request that a model reads. */
export interface CollectedInput {
  /** Of messages, whatever their role. */
  texts: string[];
  /** Tools and schemas, as JSON. */
  schemas: string[];
  messages: number;
  toolCalls: number;
  toolResults: number;
  tools: number;
  textDocuments: number;
  images: number;
  imageTokens: number;
  /** Other documents, audio, encrypted reasoning. */
  mediaTokens: number;
}

/** @param withOldReasoning false for most providers: their models do not read the reasoning of earlier turns */
export function collectInput(request: CompletionRequest, withOldReasoning: boolean): CollectedInput {
  const input: CollectedInput = {
    texts: [],
    schemas: [],
    messages: request.messages.length,
    toolCalls: 0,
    toolResults: 0,
    tools: request.tools.length,
    textDocuments: 0,
    images: 0,
    imageTokens: 0,
    mediaTokens: 0,
  };
  const turnStart = withOldReasoning ? -1 : request.messages.findLastIndex(({ role }) => role === 'user');
  for (const [index, message] of request.messages.entries())
    collectMessage(input, message, index > turnStart);
  for (const { name, description, parameters } of request.tools)
    input.schemas.push(JSON.stringify({ name, description, parameters }));
  for (const tool of request.hostedTools) input.schemas.push(JSON.stringify(tool.value));
  if (request.outputFormat.type === 'json_schema')
    input.schemas.push(JSON.stringify(request.outputFormat.schema));
  return input;
}

function collectMessage(input: CollectedInput, message: Message, withReasoning: boolean): void {
  if (message.role === 'tool') input.toolResults += 1;
  if ((message.role === 'user' || message.role === 'assistant') && message.name !== null)
    input.texts.push(message.name);
  for (const part of message.content) {
    const isReasoning = part.type === 'thinking' || part.type === 'redacted_thinking';
    if (!isReasoning || withReasoning) collectPart(input, part);
  }
}

function collectPart(input: CollectedInput, part: UserPart | AssistantPart | ToolResultContent): void {
  switch (part.type) {
    case 'text':
    case 'refusal':
    case 'thinking':
      input.texts.push(part.text);
      return;
    case 'redacted_thinking':
      input.mediaTokens += Math.ceil(part.data.length / CHARACTERS_PER_SEALED_TOKEN);
      return;
    case 'tool_call':
      input.toolCalls += 1;
      input.texts.push(part.name, part.arguments);
      return;
    case 'image':
      input.images += 1;
      input.imageTokens += estimateImageTokens(part);
      return;
    case 'audio':
      input.mediaTokens += estimateAudioTokens(part);
      return;
    case 'document':
      input.texts.push(part.title ?? '', part.context ?? '');
      if (part.source.kind === 'text') {
        input.textDocuments += 1;
        input.texts.push(part.source.text);
      } else input.mediaTokens += estimateDocumentTokens(part);
      return;
    case 'opaque':
      input.texts.push(JSON.stringify(part.value));
  }
}
