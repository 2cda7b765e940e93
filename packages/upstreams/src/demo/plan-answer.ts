import { tokensOfBytes } from '@tollgate/dialects/input-tokens/tokens-of-bytes';
import { asObject, type JsonObject } from '@tollgate/dialects/json/parse-object';
import { sampleArguments } from './sample-arguments.ts';
import { splitJson, splitWords } from './text-pieces.ts';

const DEFAULT_MAX_TOKENS = 1024;

/** The demo provider's response before it is encoded in a dialect. */
export interface DemoAnswer {
  /** Text in pieces of about one token each; empty for a tool call. */
  pieces: string[];
  toolCall: { name: string; arguments: JsonObject } | null;
  /** True if the caller's output token limit cut the response. */
  isCut: boolean;
  inputTokens: number;
  outputTokens: number;
}

/** A tool of either dialect. */
export interface OfferedTool {
  name: string;
  schema: JsonObject;
}

export interface DemoQuestion {
  /** The text of the last message; null if it has none. */
  lastText: string | null;
  lastIsToolResult: boolean;
  tools: OfferedTool[];
  maxTokens: number | null;
  /** Characters of the messages, system text and tools. */
  promptLength: number;
  /** The JSON schema of the response; an empty one fits any object. null: plain text. */
  schema: JsonObject | null;
}

/**
 * Deterministic: a call of the tool if one is offered, else JSON if requested, else an echo. Coding agents offer several: they would
 * run whichever comes first, such as a command or another agent, without end.
 */
export function planAnswer(question: DemoQuestion): DemoAnswer {
  const inputTokens = tokensOfBytes(question.promptLength);
  const [tool, ...others] = question.tools;
  if (tool !== undefined && others.length === 0 && !question.lastIsToolResult) {
    const toolCall = { name: tool.name, arguments: sampleArguments(tool.schema) };
    const outputTokens = tokensOfBytes(JSON.stringify(toolCall).length);
    return { pieces: [], toolCall, isCut: false, inputTokens, outputTokens };
  }
  const said = question.lastText ?? '';
  const text = question.lastIsToolResult
    ? `The tool answered: ${said}`
    : `Hello from Tollgate's demo model. Your request passed the key check, the limits, metering and streaming. You said: ${said}`;
  const most = question.maxTokens ?? DEFAULT_MAX_TOKENS;
  const pieces: string[] = [];
  let isCut = false;
  for (const piece of splitAnswer(question.schema, text)) {
    isCut = pieces.length >= most;
    if (isCut) break;
    pieces.push(piece);
  }
  return {
    pieces,
    toolCall: null,
    isCut,
    inputTokens,
    outputTokens: pieces.length,
  };
}

function splitAnswer(schema: JsonObject | null, text: string): Iterable<string> {
  if (schema === null) return splitWords(text);
  const isAnyObject = asObject(schema['properties']) === null;
  return splitJson(JSON.stringify(isAnyObject ? { answer: text } : sampleArguments(schema)));
}

/** The text of a message's content: a string, or the text parts of a list. */
export function textOfContent(content: unknown): string | null {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return null;
  const texts = content.map((part) => asObject(part)?.['text']).filter((text) => typeof text === 'string');
  return texts.length === 0 ? null : texts.join('\n');
}

/** Characters of all strings in a value, without member names. */
export function lengthOfStrings(...values: unknown[]): number {
  let length = 0;
  const open = values;
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string') length += value.length;
    else if (typeof value === 'object' && value !== null)
      for (const each of Object.values(value)) open.push(each);
  }
  return length;
}
