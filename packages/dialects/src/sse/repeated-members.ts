/** Members of responses that repeat the request: nothing in them is the model's output. `debug` is OpenRouter's. */
export const REPEATED_MEMBERS: readonly string[] = [
  'instructions',
  'tools',
  'tool_choice',
  'metadata',
  'prompt',
  'response_format',
  'debug',
];
