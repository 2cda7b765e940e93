import { asObject, type JsonObject } from '../json/parse-object.ts';

/**
 * Finds the usage object of a response, a chunk or an event, wherever providers put it: in `usage`, in `x_groq` (Groq's
 * older streams), in `usageMetadata` (Gemini), or one level deeper in `message` (Anthropic) or `response` (OpenAI).
 * @returns null where there is none
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
  return asObject(body?.['usage']) ?? asObject(body?.['usageMetadata']) ?? asObject(body?.['usage_metadata']);
}
