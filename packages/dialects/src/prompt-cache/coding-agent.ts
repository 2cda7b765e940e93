/**
 * User agents of coding agents that use OpenAI's dialects: `codex_cli_rs/0.171.0`, `opencode/1.4.2`, `QwenCode/0.9.0`. Their
 * first request is followed by others with the same prefix.
 */
const AGENT =
  /^(?:codex|opencode|qwen-?code|cline|roo-?code|kilo-?code|continue|crush|goose|zed|pi|aider)(?:[_-][\w-]*)?\//i;

/** @param userAgent null: the request has none */
export function isCodingAgent(userAgent: string | null): boolean {
  return userAgent !== null && AGENT.test(userAgent);
}
