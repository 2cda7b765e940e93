import type { TokenUsage } from '@tollgate/core/money/money';
import { asObject, type CompletionRequest } from './parse-completion-request.ts';
import type { GeneratedAnswer } from './script.ts';

/** A generated response before it is encoded in a dialect. */
export interface Completion {
  /** The end of its ids. */
  id: string;
  model: string;
  /** The text, one token each; empty for a tool call. */
  words: string[];
  toolCall: { name: string; argumentsJson: string } | null;
  /** null: not reported. */
  usage: TokenUsage | null;
}

/** Deterministic for a request and script. */
export function generateAnswer(request: CompletionRequest, answer: GeneratedAnswer): Completion {
  const { id = 'fake0001' } = answer;
  const model = request.model ?? 'no-model';
  const inputTokens = Math.ceil(countBytes(request.messages) / 4);
  const tool = answer.callsTool === false || isTextAsked(answer) ? undefined : request.tools[0];
  if (tool !== undefined && (answer.callsTool === true || !request.endsWithToolResult)) {
    const argumentsJson = JSON.stringify(getSample(tool.schema));
    const usage = getUsage(answer, inputTokens, Math.ceil(argumentsJson.length / 4));
    return { id, model, words: [], toolCall: { name: tool.name, argumentsJson }, usage };
  }
  const words = getWords(answer, model);
  return { id, model, words, toolCall: null, usage: getUsage(answer, inputTokens, words.length) };
}

/** Values nested deeper than the stack count as nothing: providers accept any body. */
function countBytes(messages: unknown[]): number {
  try {
    return Buffer.byteLength(JSON.stringify(messages));
  } catch (error) {
    if (error instanceof RangeError) return 0;
    throw error;
  }
}

function isTextAsked(answer: GeneratedAnswer): boolean {
  return answer.text !== undefined || answer.words !== undefined;
}

function getUsage(answer: GeneratedAnswer, inputTokens: number, outputTokens: number): TokenUsage | null {
  if (answer.usage !== undefined) return answer.usage;
  return { inputTokens, cacheReadTokens: 0, cacheWriteTokens: 0, cacheWrite1hTokens: 0, outputTokens };
}

function getWords(answer: GeneratedAnswer, model: string): string[] {
  if (answer.words !== undefined) {
    return Array.from({ length: answer.words }, (_, index) => `${index === 0 ? '' : ' '}word${index + 1}`);
  }
  const text = answer.text ?? `Hello, this is ${model}. The sky above the harbour is blue today.`;
  return text.match(/\s*\S+|\s+$/g) ?? [];
}

/** A value that fits a simple JSON Schema of a tool. */
function getSample(schema: Record<string, unknown>): unknown {
  if (Array.isArray(schema.enum)) return schema.enum[0];
  switch (schema.type) {
    case 'string':
      return 'sample';
    case 'number':
    case 'integer':
      return 1;
    case 'boolean':
      return true;
    case 'array':
      return [];
    default:
      return Object.fromEntries(
        Object.entries(asObject(schema.properties)).map(([name, inner]) => [
          name,
          getSample(asObject(inner)),
        ]),
      );
  }
}
