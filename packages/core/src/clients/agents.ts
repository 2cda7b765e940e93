import { KEY_VARIABLE, type Client } from './client.ts';
import { bareUrl, exportLines, jsonText, quoted } from './setup-text.ts';

/** Coding agents, in the order in which they are listed. Checked on 2026-11-26. */
export const AGENTS: readonly Client[] = [
  {
    id: 'claude-code',
    title: 'Claude Code',
    kind: 'agent',
    families: ['claude-cli'],
    sharedFamilies: [],
    sharedWith: null,
    endpoint: '/v1/messages',
    install: 'npm install -g @anthropic-ai/claude-code',
    docs: 'https://code.claude.com/docs/en/llm-gateway-connect',
    testedVersion: '2.1.332',
    defaultModels: ['claude-opus-5-5'],
    notes: {
      native:
        'Requests to Claude models pass through without translation, including prompt caching, thinking and token counts.',
      translated: 'Models of other providers work with tools, images and reasoning.',
      limits: [
        'Hosted tools, such as web search, need a provider that runs them.',
        'Unset ANTHROPIC_API_KEY: Claude Code can use it instead of this key, or warns about two credentials.',
        'With settings.json, also unset ANTHROPIC_AUTH_TOKEN: Claude Code sends it instead of this key.',
      ],
    },
    setUp: ({ baseUrl, model, smallModel }) => ({
      shell: exportLines({
        ANTHROPIC_BASE_URL: bareUrl(baseUrl),
        ANTHROPIC_AUTH_TOKEN: `$${KEY_VARIABLE}`,
        ANTHROPIC_MODEL: model,
        ANTHROPIC_DEFAULT_HAIKU_MODEL: smallModel,
      }),
      file: {
        path: '~/.claude/settings.json',
        format: 'json',
        text: jsonText({
          apiKeyHelper: `printenv ${KEY_VARIABLE}`,
          env: {
            ANTHROPIC_BASE_URL: bareUrl(baseUrl),
            ANTHROPIC_MODEL: model,
            ANTHROPIC_DEFAULT_HAIKU_MODEL: smallModel,
          },
        }),
        // It is sent instead of what `apiKeyHelper` prints.
        replaces: [['env', 'ANTHROPIC_AUTH_TOKEN']],
      },
      needsBoth: false,
      code: null,
      run: 'claude',
    }),
  },
  {
    id: 'codex',
    title: 'Codex',
    kind: 'agent',
    families: ['codex_cli_rs', 'codex_exec', 'codex-tui', 'codex_vscode'],
    sharedFamilies: [],
    sharedWith: null,
    endpoint: '/v1/responses',
    install: 'npm install -g @openai/codex',
    docs: 'https://developers.openai.com/codex/config-advanced',
    testedVersion: '0.171.0',
    defaultModels: ['gpt-6.2-sol', 'gpt-6.2-astra', 'gpt-6.1-sol', 'gpt-6-sol', 'gpt-5.6-sol', 'gpt-5.5'],
    notes: {
      native: 'Requests to models of OpenAI pass through without translation.',
      translated: 'Models of other providers work with all tools that Codex runs itself.',
      limits: [
        'Hosted tools, such as web search, are dropped if requests are translated.',
        'Codex offers web search to every model. If the model has no price for it, requests get 400: put web_search = "disabled" at the top of config.toml, or ask the operator to add the rate.',
        'Codex uses WebSockets if supports_websockets = true is in the section of the provider.',
        "Codex knows only the context length of OpenAI's models, and warns about others.",
      ],
    },
    setUp: ({ baseUrl, model }) => ({
      shell: null,
      file: {
        path: '~/.codex/config.toml',
        format: 'toml',
        text: `model = ${quoted(model)}
model_provider = "tollgate"

[model_providers.tollgate]
name = "Tollgate"
base_url = ${quoted(baseUrl)}
env_key = "${KEY_VARIABLE}"
wire_api = "responses"`,
      },
      needsBoth: false,
      code: null,
      run: 'codex',
    }),
  },
  {
    id: 'opencode',
    title: 'OpenCode',
    kind: 'agent',
    families: ['opencode'],
    sharedFamilies: [],
    sharedWith: null,
    endpoint: '/v1/chat/completions',
    install: 'npm install -g opencode-ai',
    docs: 'https://opencode.ai/docs/providers/#custom-provider',
    testedVersion: '1.18.33',
    defaultModels: [],
    notes: {
      native: "Requests to providers with OpenAI's chat completions pass through without translation.",
      translated: 'Claude and Gemini models work with tools, images and reasoning.',
      limits: [
        'Only models in the list “models” of the configuration can be selected. Add more ids there.',
        'If the folder has a file opencode.jsonc, add the configuration to that one: its settings win.',
      ],
    },
    setUp: ({ baseUrl, model, smallModel }) => ({
      shell: null,
      file: {
        path: '~/.config/opencode/opencode.json',
        format: 'json',
        text: jsonText({
          $schema: 'https://opencode.ai/config.json',
          model: `tollgate/${model}`,
          small_model: `tollgate/${smallModel}`,
          provider: {
            tollgate: {
              npm: '@ai-sdk/openai-compatible',
              name: 'Tollgate',
              options: { baseURL: baseUrl, apiKey: `{env:${KEY_VARIABLE}}` },
              models: { [model]: {}, [smallModel]: {} },
            },
          },
        }),
      },
      needsBoth: false,
      code: null,
      run: 'opencode',
    }),
  },
  {
    id: 'qwen-code',
    title: 'Qwen Code',
    kind: 'agent',
    families: ['QwenCode'],
    sharedFamilies: [],
    sharedWith: null,
    endpoint: '/v1/chat/completions',
    install: 'npm install -g @qwen-code/qwen-code',
    docs: 'https://qwenlm.github.io/qwen-code-docs/en/users/configuration/model-providers/',
    testedVersion: '0.24.4',
    defaultModels: [],
    notes: {
      native: "Requests to providers with OpenAI's chat completions pass through without translation.",
      translated: 'Claude and Gemini models work with tools, images and reasoning.',
      limits: ['Only models in the list “modelProviders” of the configuration can be selected.'],
    },
    setUp: ({ baseUrl, model, smallModel }) => ({
      shell: null,
      file: {
        path: '~/.qwen/settings.json',
        format: 'json',
        text: jsonText({
          security: { auth: { selectedType: 'openai' } },
          model: { name: model },
          fastModel: smallModel,
          modelProviders: {
            openai: [...new Set([model, smallModel])].map((id) => ({
              id,
              name: 'Tollgate',
              baseUrl,
              envKey: KEY_VARIABLE,
            })),
          },
        }),
      },
      needsBoth: false,
      code: null,
      run: 'qwen',
    }),
  },
];
