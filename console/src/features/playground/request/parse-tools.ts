import { z } from 'zod';

/** A tool in neither dialect's words. */
export interface Tool {
  name: string;
  description?: string | undefined;
  /** A JSON Schema. */
  parameters: Record<string, unknown>;
}

const nameSchema = z
  .string()
  .regex(/^[\w-]{1,64}$/, 'A tool name has 1 to 64 letters, digits, dashes or underscores');
const description = z.string().optional();
const schemaObject = z.record(z.string(), z.unknown());
const EMPTY = { type: 'object', properties: {} };

const openAiSchema = z
  .object({
    type: z.literal('function'),
    function: z.object({ name: nameSchema, description, parameters: schemaObject.default(EMPTY) }),
  })
  .transform((tool): Tool => tool.function);
const anthropicSchema = z
  .object({ name: nameSchema, description, input_schema: schemaObject })
  .transform((tool): Tool => ({ ...tool, parameters: tool.input_schema }));
const plainSchema = z
  .object({ name: nameSchema, description, parameters: schemaObject.default(EMPTY) })
  .transform((tool): Tool => tool);

/**
 * Reads the tools that someone typed: a JSON array, each as OpenAI writes it, as Anthropic does, or as
 * `{ name, description, parameters }`. An empty text is no tools.
 */
export function parseTools(text: string): { ok: true; tools: Tool[] } | { ok: false; message: string } {
  if (text.trim() === '') return { ok: true, tools: [] };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return {
      ok: false,
      message: `Invalid JSON: ${error instanceof Error ? error.message : 'syntax error'}`,
    };
  }
  if (!Array.isArray(json)) return { ok: false, message: 'Enter a JSON array: [ { "name": … } ]' };
  const tools: Tool[] = [];
  for (const [index, item] of json.entries()) {
    const parsed = getSchema(item).safeParse(item);
    if (!parsed.success) return { ok: false, message: `Tool ${index + 1}: ${describe(parsed.error)}` };
    if (tools.some(({ name }) => name === parsed.data.name))
      return { ok: false, message: `Tool ${index + 1}: the name ${parsed.data.name} is already used` };
    tools.push({
      name: parsed.data.name,
      description: parsed.data.description,
      parameters: parsed.data.parameters,
    });
  }
  return { ok: true, tools };
}

function getSchema(item: unknown) {
  const isObject = typeof item === 'object' && item !== null;
  if (isObject && 'function' in item) return openAiSchema;
  return isObject && 'input_schema' in item ? anthropicSchema : plainSchema;
}

function describe(error: z.ZodError): string {
  const [issue] = error.issues;
  if (issue === undefined) return 'invalid definition';
  const path = issue.path.join('.');
  return path === '' ? issue.message : `${path}: ${issue.message}`;
}
