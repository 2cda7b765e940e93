import { asObject, type JsonObject } from '../json/parse-object.ts';

/** The names of a usage object; the last two are Gemini's. */
export const USAGE_MEMBERS = ['usage', 'usageMetadata', 'usage_metadata'] as const;

/**
 * Finds the usage object of a response, a chunk or an event: in `usage`, in `x_groq` (Groq's
 * older streams), in `usageMetadata` (Gemini), one level deeper in `message` (Anthropic) or `response` (OpenAI), or in a choice
 * (Moonshot's streams: https://platform.moonshot.ai/docs/api/chat).
 * @returns null if there is none
 */
export function findUsage(body: JsonObject): JsonObject | null {
  return (
    ownUsage(body) ??
    asObject(asObject(body['x_groq'])?.['usage']) ??
    ownUsage(asObject(body['message'])) ??
    ownUsage(asObject(body['response'])) ??
    usageOfChoices(body['choices'])
  );
}

/** The last one that a choice has. */
function usageOfChoices(choices: unknown): JsonObject | null {
  if (!Array.isArray(choices)) return null;
  for (let at = choices.length - 1; at >= 0; at -= 1) {
    const usage = asObject(asObject(choices[at])?.['usage']);
    if (usage !== null) return usage;
  }
  return null;
}

function ownUsage(body: JsonObject | null): JsonObject | null {
  if (body === null) return null;
  for (const name of USAGE_MEMBERS) {
    const usage = asObject(body[name]);
    if (usage !== null) return usage;
  }
  return null;
}
