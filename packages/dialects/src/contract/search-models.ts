import type { RateNeed } from '@tollgate/core/money/rates/rate-need';

/** `gpt-4o-search-preview-2025-03-11`, `openai/gpt-4o-mini-search-preview`, `gpt-5-search-api`. */
const SEARCH_MODEL = /(?:^|\/)gpt-[\w.-]+-search-(?:preview|api)(?:-[\d-]+)?(?::\w+)?$/i;

/**
 * The rate that a chat completion of a model needs by its name. OpenAI's search models search before every response, also
 * without `web_search_options`, and each search is billed (https://platform.openai.com/docs/guides/tools-web-search).
 * @returns null for all other models
 */
export function needOfModel(upstreamModel: string): RateNeed | null {
  if (!SEARCH_MODEL.test(upstreamModel)) return null;
  return { kind: 'tool_calls', tool: 'web_search', maxCalls: 1, leastCalls: 1, member: 'model' };
}
