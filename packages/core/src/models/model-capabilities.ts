/** Model capabilities beyond text input and output, as in the catalogue and `/v1/models`. */
export const MODEL_CAPABILITIES = [
  'vision',
  'pdf_input',
  'audio_input',
  'tools',
  'parallel_tools',
  'structured_output',
  'reasoning',
  'prompt_caching',
  'embeddings',
] as const;
export type ModelCapability = (typeof MODEL_CAPABILITIES)[number];

/** Keeps known capabilities in list order; a newer release may have stored others. */
export function parseModelCapabilities(names: readonly string[]): ModelCapability[] {
  const given = new Set(names);
  return MODEL_CAPABILITIES.filter((capability) => given.has(capability));
}
