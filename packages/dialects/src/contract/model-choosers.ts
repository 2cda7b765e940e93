/**
 * Members by which servers choose a model without calling it one: engines and deployments of Azure and its imitators,
 * adapters of LoRA servers (`adapter_id` of Text Generation Inference and LoRAX, `lora_name`, `lora_path` of SGLang).
 */
const CHOOSES_MODEL = /engine|deployment|lora|adapter|peft|checkpoint/i;

/**
 * Finds the first member of a name that may choose a model, in a member of a request and anywhere below it.
 * @returns its path: `extra_body.lora_name`; null: none
 */
export function findModelChooser(name: string, value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (CHOOSES_MODEL.test(name.slice(name.lastIndexOf('.') + 1))) return name;
  if (typeof value !== 'object') return null;
  for (const [inner, held] of Object.entries(value)) {
    const found = findModelChooser(`${name}.${inner}`, held);
    if (found !== null) return found;
  }
  return null;
}
