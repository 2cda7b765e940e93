/**
 * Names a tool call without a provider's id (Gemini) from the id of its response, so that no two calls of a conversation
 * share a name. Anthropic only takes letters, digits, `_` and `-`.
 */
export function nameCall(responseId: string, choice: number, call: number): string {
  const answer = responseId.replaceAll(/[^a-zA-Z0-9_-]/g, '').slice(-24);
  return ['call', answer, choice === 0 ? '' : String(choice), String(call)].filter(Boolean).join('_');
}
