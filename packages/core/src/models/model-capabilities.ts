/** What a model can do beyond text in and text out, as the catalogue and `/v1/models` name it. */
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

/** Keeps what is known, in the order of the list: a newer release may have written names that this one lacks. */
export function parseModelCapabilities(names: readonly string[]): ModelCapability[] {
  const given = new Set(names);
  return MODEL_CAPABILITIES.filter((capability) => given.has(capability));
}
