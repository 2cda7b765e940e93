import type {
  AssistantPart,
  ImagePart,
  OpaquePart,
  ToolResultContent,
  UserPart,
} from '@tollgate/core/completion/content';
import type {
  CompletionRequest,
  HostedTool,
  Message,
  ToolDefinition,
} from '@tollgate/core/completion/request';
import { readItemTools, readTool } from '../portable-tools/read-tools.ts';
import {
  countPatches,
  estimateAudioTokens,
  estimateDocumentTokens,
  estimateImageTokens,
} from './media-tokens.ts';
import { splitImages } from './split-images.ts';

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
  /** Patches of 32 × 32 pixels of each image whose size is known. */
  imagePatches: number[];
  audios: number;
  /** Length of all audio, in base64. */
  audioCharacters: number;
  /** Other documents, audio, encrypted reasoning. */
  mediaTokens: number;
  /** Length of all encrypted reasoning and signatures, whether or not the model reads the reasoning of earlier turns. */
  sealedCharacters: number;
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
    imagePatches: [],
    audios: 0,
    audioCharacters: 0,
    mediaTokens: 0,
    sealedCharacters: 0,
  };
  const turnStart = withOldReasoning ? -1 : request.messages.findLastIndex(({ role }) => role === 'user');
  for (const [index, message] of request.messages.entries())
    collectMessage(input, message, index > turnStart);
  for (const tool of request.tools) input.schemas.push(writeSchema(tool));
  for (const tool of request.hostedTools) collectTool(input, tool);
  if (request.outputFormat.type === 'json_schema')
    input.schemas.push(JSON.stringify(request.outputFormat.schema));
  return input;
}

function collectMessage(input: CollectedInput, message: Message, withReasoning: boolean): void {
  if (message.role === 'tool') input.toolResults += 1;
  if ((message.role === 'user' || message.role === 'assistant') && message.name !== null)
    input.texts.push(message.name);
  for (const part of message.content) {
    input.sealedCharacters += countSealed(part);
    const isReasoning = part.type === 'thinking' || part.type === 'redacted_thinking';
    if (!isReasoning || withReasoning) collectPart(input, part);
  }
}

function countSealed(part: UserPart | AssistantPart | ToolResultContent): number {
  if (part.type === 'redacted_thinking') return part.data.length;
  return part.type === 'thinking' ? (part.signature?.length ?? 0) : 0;
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
      addImage(input, part);
      return;
    case 'audio':
      input.audios += 1;
      input.audioCharacters += part.data.length;
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
      collectOpaque(input, part);
  }
}

function addImage(input: CollectedInput, image: Pick<ImagePart, 'source'>): void {
  input.images += 1;
  input.imageTokens += estimateImageTokens(image);
  const patches = countPatches(image);
  if (patches !== null) input.imagePatches.push(patches);
}

/** A tool as the caller wrote it, or as other providers get it: the longer of both. */
function collectTool(input: CollectedInput, tool: HostedTool): void {
  const [functions] = readTool(tool);
  const written = JSON.stringify(tool.value);
  const sent = functions.map(writeSchema).join('\n');
  input.tools += functions.length;
  input.schemas.push(sent.length > written.length ? sent : written);
}

/** The same for an item that declares tools. */
function collectOpaque(input: CollectedInput, { value }: OpaquePart): void {
  const [functions] = readItemTools(value);
  const { text, sources } = splitImages(value);
  for (const source of sources) addImage(input, { source });
  const written = JSON.stringify(text);
  const sent = functions.map(writeSchema).join('\n');
  const names = functions.map(({ name }) => name).join(', ');
  input.tools += functions.length;
  if (sent.length + names.length <= written.length) input.texts.push(written);
  else {
    input.schemas.push(sent);
    input.texts.push(names);
  }
}

function writeSchema({ name, description, parameters }: ToolDefinition): string {
  return JSON.stringify({ name, description, parameters });
}
