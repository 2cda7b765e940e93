import type { ModelCapability } from '@tollgate/core/models/model-capabilities';

/** Of models that reason. */
export const THINKING: readonly ModelCapability[] = [
  'vision',
  'pdf_input',
  'tools',
  'parallel_tools',
  'structured_output',
  'reasoning',
  'prompt_caching',
];

/**
 * Per 1,000 calls (https://platform.openai.com/docs/pricing#built-in-tools). Code execution has no such rate: containers
 * are billed by the minute, and responses do not report how long they ran. Batch prices are left out: batches have no
 * endpoint here.
 */
export const FILE_SEARCH = { 'tool_calls:file_search': '2.5' };
export const TOOLS = { ...FILE_SEARCH, 'tool_calls:web_search': '10' };
/** Models without reasoning pay more for calls of the earlier tool, and nothing for the content it reads. */
const PREVIEW_SEARCH = { 'tool_calls:web_search_preview': '25' };
export const CHAT_TOOLS = { ...TOOLS, ...PREVIEW_SEARCH };
/** Searches with the current tool add 8,000 input tokens each, which a rate per call cannot express. */
export const MINI_TOOLS = { ...FILE_SEARCH, ...PREVIEW_SEARCH };
export const FLEX = { ...TOOLS, 'service_tier:flex': '0.5x' };
export const PRIORITY = { ...TOOLS, 'service_tier:priority': '2x' };
export const FLEX_AND_PRIORITY = { ...FLEX, ...PRIORITY };
