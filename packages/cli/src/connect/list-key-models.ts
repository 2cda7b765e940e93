import { z } from 'zod';

const LIMIT_MS = 10_000;

const modelsSchema = z.object({
  data: z.array(z.object({ id: z.string(), capabilities: z.array(z.string()).optional() })),
});

/** The models that a key can use for text, in the api's order; null: the api did not list them. */
export async function listKeyModels(baseUrl: string, key: string): Promise<string[] | null> {
  try {
    const response = await fetch(`${baseUrl}/models`, {
      headers: { authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    if (!response.ok) return null;
    const { data } = modelsSchema.parse(await response.json());
    return data
      .filter(({ capabilities }) => capabilities?.includes('embeddings') !== true)
      .map(({ id }) => id);
  } catch {
    return null;
  }
}
