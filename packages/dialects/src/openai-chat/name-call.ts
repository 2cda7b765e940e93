/**
 * Names a tool call whose provider gave it no id (Gemini): by the answer that it is in, so that no two calls of a
 * conversation share one. Anthropic takes letters, digits, `_` and `-` alone.
 */
export function nameCall(responseId: string, choice: number, call: number): string {
  const answer = responseId.replaceAll(/[^a-zA-Z0-9_-]/g, '').slice(-24);
  return ['call', answer, choice === 0 ? '' : String(choice), String(call)].filter(Boolean).join('_');
}
