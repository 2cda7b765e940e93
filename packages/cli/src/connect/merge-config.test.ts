import { CLIENTS, getClient } from '@tollgate/core/clients/clients';
import { parse as parseToml } from '@decimalturn/toml-patch';
import { expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { SettingConflict } from './find-changes.ts';
import { mergeConfig } from './merge-config.ts';

const INPUT = { baseUrl: 'http://127.0.0.1:8787/v1', model: 'a/model', smallModel: 'a/small-model' };

function getConfig(id: (typeof CLIENTS)[number]['id']) {
  const { file } = getClient(id).setUp(INPUT);
  if (file === null) throw new Error(`${id} has no file`);
  return file;
}

const files = CLIENTS.flatMap(({ id, setUp }) => {
  const { file } = setUp(INPUT);
  return file === null ? [] : [[id, file] as const];
});

it.each(files)(
  'a new file of %s contains its configuration, and merging again changes nothing',
  (_, file) => {
    const written = mergeConfig(file, null);
    expect(written).toBe(`${file.text}\n`);
    expect(mergeConfig(file, written)).toBe(written);
  },
);

it('TOML keeps comments, tables and other settings, and gets root settings before the first table', () => {
  const existing = `# my settings
approval_policy = "never" # always
model = "gpt-5"

[mcp_servers.docs]
command = "npx" # not global
`;
  const merged = mergeConfig(getConfig('codex'), existing);
  expect(merged).toContain('# my settings\napproval_policy = "never" # always\n');
  expect(merged).toContain('[mcp_servers.docs]\ncommand = "npx" # not global\n');
  expect(parseToml(merged)).toEqual({
    approval_policy: 'never',
    model: 'a/model',
    model_provider: 'tollgate',
    mcp_servers: { docs: { command: 'npx' } },
    model_providers: {
      tollgate: {
        name: 'Tollgate',
        base_url: INPUT.baseUrl,
        env_key: 'SERVICE_API_KEY',
        wire_api: 'responses',
      },
    },
  });
});

it('JSON keeps comments and other providers', () => {
  const existing = `{
  // my theme
  "theme": "dark",
  "provider": { "local": { "name": "Local" } }, // trailing comma
}
`;
  const merged = mergeConfig(getConfig('opencode'), existing);
  expect(merged).toContain('// my theme\n  "theme": "dark",');
  expect(merged).toMatch(/"local": \{\s+"name": "Local"\s+\}/);
  expect(merged).toContain('// trailing comma');
  expect(merged).toContain('"baseURL": "http://127.0.0.1:8787/v1"');
});

it('JSON lists get one entry for each model', () => {
  const other = { id: 'other', baseUrl: 'https://example.com/v1', envKey: 'OTHER_KEY' };
  const existing = JSON.stringify({ modelProviders: { openai: [other] } }, null, 2);
  const once = mergeConfig(getConfig('qwen-code'), existing);
  const { modelProviders } = JSON.parse(once) as { modelProviders: { openai: unknown[] } };
  expect(modelProviders.openai).toEqual([
    other,
    expect.objectContaining({ id: 'a/model' }),
    expect.objectContaining({ id: 'a/small-model' }),
  ]);
  expect(mergeConfig(getConfig('qwen-code'), once)).toBe(once);
});

it('YAML keeps comments and other models', () => {
  const existing = `name: Mine # keep
version: 2.0.0
models:
  # local
  - name: llama
    provider: ollama
    model: llama3
`;
  const merged = mergeConfig(getConfig('continue'), existing);
  expect(merged).toContain('  # local\n  - name: llama\n');
  expect(parseYaml(merged)).toMatchObject({
    models: [
      { name: 'llama', provider: 'ollama' },
      { name: 'a/model', apiKey: '${{ secrets.SERVICE_API_KEY }}' },
    ],
  });
});

it.each([
  ['a setting of another type', '{"env": "none"}', SettingConflict],
  ['invalid JSON', '{"env": ', Error],
  ['a list', '[]', Error],
])('refuses to change a file with %s', (_, existing, error) => {
  expect(() => mergeConfig(getConfig('claude-code'), existing)).toThrow(error);
});

it('removes a token that Claude Code would send instead of the key', () => {
  const existing = '{\n  "env": {\n    "ANTHROPIC_AUTH_TOKEN": "old", // mine\n    "DEBUG": "1"\n  }\n}\n';
  const merged = mergeConfig(getConfig('claude-code'), existing);
  expect(merged).not.toContain('ANTHROPIC_AUTH_TOKEN');
  expect(merged).toContain('"DEBUG": "1"');
  expect(mergeConfig(getConfig('claude-code'), merged)).toBe(merged);
});

it.each([
  ['json', '{}', '{\n  "a": {\n    "b": 1,\n    "c": 2\n  }\n}\n', '{\n  "a": {\n    "c": 2\n  }\n}\n'],
  ['toml', '', '[a]\nb = 1\nc = 2\n', '[a]\nc = 2\n'],
  ['yaml', '{}', 'a:\n  b: 1\n  c: 2\n', 'a:\n  c: 2\n'],
] as const)('removes what the configuration replaces from %s', (format, text, existing, expected) => {
  expect(
    mergeConfig(
      {
        format,
        text,
        replaces: [
          ['a', 'b'],
          ['a', 'x'],
          ['y', 'z'],
        ],
      },
      existing,
    ),
  ).toBe(expected);
});
