import type { HostedTool, ToolDefinition } from '@tollgate/core/completion/request';
import { getLabel } from '../json/get-label.ts';
import type { JsonObject } from '../json/parse-object.ts';
import { decodeCacheControl } from '../anthropic-messages/decode-cache-control.ts';
import { objectSchema } from './define-function.ts';

const text = (description: string) => ({ type: 'string', description });
const line = (description: string) => ({ type: 'integer', description });

const PATH = text('Path of the file or directory.');
const RANGE = {
  type: 'array',
  items: { type: 'integer' },
  description: 'First and last line to view; -1 as the last line means the end of the file.',
};
const EDITS = {
  path: PATH,
  view_range: RANGE,
  file_text: text('Content of the file, for `create`.'),
  old_str: text('Text to replace, for `str_replace`. It must occur exactly once.'),
  new_str: text('The replacement, for `str_replace`.'),
  insert_line: line('The line to insert after, for `insert`; 0 is the beginning of the file.'),
  insert_text: text('Text to insert, for `insert`.'),
};
const command = (...names: string[]) => ({ type: 'string', enum: names });
/** The first two versions of the editor name the inserted text `new_str`, and can undo an edit. */
const OLD_EDITOR = /_(?:20241022|20250124)$/;

/** Client tools that Anthropic defines (https://docs.claude.com/en/docs/agents-and-tools/tool-use/overview), by their kind. */
const DEFINITIONS: readonly [RegExp, (type: string) => { description: string; parameters: JsonObject }][] = [
  [
    /^bash_\d+$/,
    () => ({
      description: 'Runs a command in a bash session that stays open, or restarts the session.',
      parameters: objectSchema(
        {
          command: text('The command to run. Not needed to restart.'),
          restart: { type: 'boolean', description: 'True: restart the session.' },
        },
        [],
      ),
    }),
  ],
  [
    /^text_editor_\d+$/,
    (type) => {
      const isOld = OLD_EDITOR.test(type);
      const { insert_text: _, ...oldEdits } = EDITS;
      const commands = ['view', 'create', 'str_replace', 'insert'];
      return {
        description: 'Views, creates and edits text files.',
        parameters: objectSchema(
          isOld
            ? { command: command(...commands, 'undo_edit'), ...oldEdits }
            : { command: command(...commands), ...EDITS },
          ['command', 'path'],
        ),
      };
    },
  ],
  [
    /^memory_\d+$/,
    () => ({
      description: 'Stores and reads notes in the directory `/memories`, which outlasts the conversation.',
      parameters: objectSchema(
        {
          command: command('view', 'create', 'str_replace', 'insert', 'delete', 'rename'),
          ...EDITS,
          old_path: text('The current path, for `rename`.'),
          new_path: text('The new path, for `rename`.'),
        },
        ['command'],
      ),
    }),
  ],
];

/**
 * The function that represents a client tool that Anthropic defines. Its calls and results are the same in both forms.
 * @returns null for a tool that the provider runs, or that no function can stand for
 */
export function defineAnthropicTool({ value }: HostedTool): ToolDefinition | null {
  const type = getLabel(value['type']);
  const found = DEFINITIONS.find(([kind]) => kind.test(type));
  if (found === undefined || typeof value['name'] !== 'string') return null;
  return {
    name: value['name'],
    ...found[1](type),
    strict: null,
    cache: decodeCacheControl(value['cache_control']),
  };
}
