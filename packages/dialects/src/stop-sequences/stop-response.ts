import type { AssistantPart } from '@tollgate/core/completion/content';
import type { CompletionChoice, CompletionResponse } from '@tollgate/core/completion/response';
import { KeptTokens } from './kept-tokens.ts';
import { findStop } from './stop-scanner.ts';

/**
 * Ends the choices of a whole response at the caller's stop sequences, for a provider that does not.
 * @param sequences none is empty
 */
export function stopResponse(response: CompletionResponse, sequences: readonly string[]): CompletionResponse {
  return { ...response, choices: response.choices.map((choice) => stopChoice(choice, sequences)) };
}

function stopChoice(choice: CompletionChoice, sequences: readonly string[]): CompletionChoice {
  const content: AssistantPart[] = [];
  for (const part of choice.content) {
    const { text, sequence } = part.type === 'text' ? findStop(part.text, sequences) : NOT_FOUND;
    if (part.type !== 'text' || sequence === null) {
      content.push(part);
      continue;
    }
    const citations = part.citations.filter(({ end }) => end === null || end <= text.length);
    if (text !== '') content.push({ ...part, text, citations });
    const { logprobs } = choice;
    const finish = { type: 'stop_sequence', sequence } as const;
    return { content, finish, ...(logprobs !== undefined && { logprobs: keepTokens(logprobs, content) }) };
  }
  return choice;
}

const NOT_FOUND = { text: '', sequence: null } as const;

function keepTokens(all: NonNullable<CompletionChoice['logprobs']>, content: readonly AssistantPart[]) {
  const tokens = new KeptTokens();
  tokens.add(all);
  return tokens.take(content.map((part) => (part.type === 'text' ? part.text : '')).join(''));
}
