import type { Dialect } from '@tollgate/core/models/dialect';
import type { JsonObject } from '../json/parse-object.ts';
import { getFunctionName } from '../portable-tools/function-name.ts';

/** A request whose answer has additional members, and the functions that the model calls. */
interface SampleRequest {
  name: string;
  dialect: Dialect;
  requestBody: JsonObject;
  calls: readonly [name: string, input: JsonObject][];
}

const SCHEMA = { type: 'object', properties: {}, required: [], additionalProperties: false };

export const SAMPLE_REQUESTS: readonly SampleRequest[] = [
  {
    name: 'functions',
    dialect: 'openai-chat',
    requestBody: { functions: [{ name: 'weather', parameters: SCHEMA }] },
    calls: [['weather', { city: 'Oslo' }]],
  },
  {
    name: 'custom-tool',
    dialect: 'openai-chat',
    requestBody: { tools: [{ type: 'custom', custom: { name: 'sql' } }] },
    calls: [['sql', { input: 'SELECT 1' }]],
  },
  {
    name: 'settings',
    dialect: 'openai-responses',
    requestBody: {
      instructions: 'Be brief.',
      max_output_tokens: 100,
      max_tool_calls: 3,
      metadata: { team: 'a' },
      parallel_tool_calls: false,
      prompt_cache_key: 'a',
      reasoning: { effort: 'low', summary: 'auto' },
      safety_identifier: 'a',
      temperature: 0.5,
      text: { verbosity: 'low', format: { type: 'json_object' } },
      tool_choice: { type: 'function', name: 'weather' },
      tools: [{ type: 'function', name: 'weather', parameters: SCHEMA }],
      top_logprobs: 2,
      top_p: 0.9,
      truncation: 'auto',
      user: 'a',
    },
    calls: [['weather', { city: 'Oslo' }]],
  },
  {
    name: 'client-tools',
    dialect: 'openai-responses',
    requestBody: {
      tools: [
        { type: 'custom', name: 'exec', description: 'Runs code.' },
        { type: 'local_shell' },
        { type: 'apply_patch' },
        {
          type: 'namespace',
          name: 'files',
          description: 'Files.',
          tools: [{ type: 'function', name: 'read', parameters: SCHEMA }],
        },
      ],
    },
    calls: [
      ['exec', { input: 'ls' }],
      ['local_shell', { command: ['ls'] }],
      ['apply_patch', { type: 'update_file', path: 'a.txt', diff: '+a' }],
      [getFunctionName('files', 'read'), { path: 'a.txt' }],
    ],
  },
  {
    name: 'shell',
    dialect: 'openai-responses',
    requestBody: {
      tools: [{ type: 'shell' }, { type: 'tool_search', execution: 'client', parameters: SCHEMA }],
    },
    calls: [
      ['shell', { commands: ['ls'] }],
      ['tool_search', { query: 'files' }],
    ],
  },
];
