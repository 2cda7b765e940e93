import type { ToolDefinition } from '@tollgate/core/completion/request';
import { asObject, type JsonObject } from '../json/parse-object.ts';
import type { ClientTool } from './responses-tools.ts';

const text = (description: string) => ({ type: 'string', description });
const texts = (description: string) => ({ type: 'array', items: { type: 'string' }, description });
const count = (description: string) => ({ type: 'integer', description });

export function objectSchema(properties: JsonObject, required: readonly string[]): JsonObject {
  return { type: 'object', properties, required: [...required], additionalProperties: false };
}

const LOCAL_SHELL = objectSchema(
  {
    command: texts('The command and its arguments.'),
    working_directory: text('The directory to run the command in.'),
    timeout_ms: count('Time limit in milliseconds.'),
    env: { type: 'object', description: 'Environment variables.', additionalProperties: { type: 'string' } },
    user: text('The user to run the command as.'),
  },
  ['command'],
);
const SHELL = objectSchema(
  {
    commands: texts('Shell commands to run.'),
    timeout_ms: count('Time limit in milliseconds.'),
    max_output_length: count('Maximum characters of output to return.'),
  },
  ['commands'],
);
const APPLY_PATCH = objectSchema(
  {
    type: { type: 'string', enum: ['create_file', 'update_file', 'delete_file'] },
    path: text('Path of the file, relative to the workspace.'),
    diff: text('The change as a V4A diff. Not needed to delete a file.'),
  },
  ['type', 'path'],
);
const SEARCH = objectSchema({ query: text('Search query.') }, ['query']);

/** The function that represents a tool of the Responses API at providers of other dialects. */
export function defineFunction({ kind, value, functionName }: ClientTool): ToolDefinition {
  const description = typeof value['description'] === 'string' ? value['description'] : null;
  const define = (about: string | null, parameters: JsonObject): ToolDefinition => ({
    name: functionName,
    description: about,
    parameters,
    strict: null,
    cache: null,
  });
  switch (kind) {
    case 'function': {
      const { strict, parameters } = value;
      const own = define(description, asObject(parameters) ?? objectSchema({}, []));
      return { ...own, strict: typeof strict === 'boolean' ? strict : null };
    }
    case 'custom':
      return define(
        describeCustom(description, value['format']),
        objectSchema({ input: text('The input of the tool, as plain text.') }, ['input']),
      );
    case 'local_shell':
      return define('Runs a command in the local shell of the user.', LOCAL_SHELL);
    case 'shell':
      return define('Runs commands in the local shell of the user.', SHELL);
    case 'apply_patch':
      return define('Creates, updates or deletes a file with a diff.', APPLY_PATCH);
    case 'tool_search':
      return define(
        description ?? 'Searches for tools that are not declared yet.',
        asObject(value['parameters']) ?? SEARCH,
      );
  }
}

/** Nothing enforces a grammar there, so the description states it. */
function describeCustom(description: string | null, format: unknown): string {
  const { type, syntax, definition } = asObject(format) ?? {};
  const parts = [description ?? '', 'Pass the whole input of the tool as text in `input`.'];
  if (type === 'grammar' && typeof definition === 'string')
    parts.push(
      `The text in \`input\` must match this ${syntax === 'regex' ? 'regular expression' : 'Lark grammar'}:\n${definition}`,
    );
  return parts.filter((part) => part !== '').join('\n\n');
}
