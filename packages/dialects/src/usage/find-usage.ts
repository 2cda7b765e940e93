import { asObject, type JsonObject } from '../json/parse-object.ts';

/** The names of a usage object; the last two are Gemini's. */
export const USAGE_MEMBERS = ['usage', 'usageMetadata', 'usage_metadata'] as const;

/**
 * Finds the usage object of a response, a chunk or an event: in `usage`, in `x_groq` (Groq's
 * older streams), in `usageMetadata` (Gemini), or one level deeper in `message` (Anthropic) or `response` (OpenAI).
 * @returns null if there is none; it may be in the choices, see `read-choice-usage.ts`
 */
export function findUsage(body: JsonObject): JsonObject | null {
  return (
    ownUsage(body) ??
    asObject(asObject(body['x_groq'])?.['usage']) ??
    ownUsage(asObject(body['message'])) ??
    ownUsage(asObject(body['response']))
  );
}

function ownUsage(body: JsonObject | null): JsonObject | null {
  if (body === null) return null;
  for (const name of USAGE_MEMBERS) {
    const usage = asObject(body[name]);
    if (usage !== null) return usage;
  }
  return null;
}
