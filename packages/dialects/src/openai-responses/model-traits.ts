/** `o3`, `openai/o4-mini`, `gpt-5.2`, `gpt-oss-120b`, `codex-mini-latest`; not `gpt-5-chat-latest`, not `gpt-4o`. */
const REASONING = /(?:^|\/)(?:o\d|gpt-(?:[5-9]|\d\d)(?!-chat)|gpt-oss|codex-|computer-use)/;

/**
 * True for models that can give their reasoning back encrypted, by their name: the api answers 400 to others that are asked
 * for it (https://platform.openai.com/docs/guides/reasoning#encrypted-reasoning-items).
 */
export function reasons(model: string): boolean {
  return REASONING.test(model.toLowerCase());
}
