import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Dialect } from '@tollgate/core/models/dialect';

/** How a coding agent is started for one job. */
interface AgentStart {
  command: string;
  args: string[];
  env: Record<string, string>;
}

export interface AgentSetUp {
  /** The home folder of this run alone. */
  home: string;
  /** Without `/v1`. */
  origin: string;
  model: string;
  secret: string;
  prompt: string;
}

/** A coding agent from npm with the configuration that its documentation describes. */
export interface CodingAgent {
  name: string;
  /** Its package, or its package on this platform, among the installed ones. */
  program: readonly [packageName: string, file: string];
  dialect: Dialect;
  /** Writes its configuration. */
  setUp(options: AgentSetUp): Promise<Omit<AgentStart, 'command'>>;
  /** Lines on its terminal that contain a warning for another reason than the gateway. */
  known: RegExp;
}

const NOTHING = /^$/;

export const CLAUDE_CODE: CodingAgent = {
  name: 'Claude Code',
  program: ['@anthropic-ai/claude-code-linux-x64', 'claude'],
  dialect: 'anthropic-messages',
  known: NOTHING,
  setUp: async ({ origin, model, secret, prompt }) => ({
    args: ['-p', prompt, '--dangerously-skip-permissions'],
    env: {
      ANTHROPIC_BASE_URL: origin,
      ANTHROPIC_AUTH_TOKEN: secret,
      ANTHROPIC_MODEL: model,
      ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      // Root may skip permissions only in a sandbox.
      IS_SANDBOX: '1',
    },
  }),
};

const createCodex = (name: string, transport: string): CodingAgent => ({
  name,
  program: ['@openai/codex-linux-x64', 'vendor/x86_64-unknown-linux-musl/bin/codex'],
  dialect: 'openai-responses',
  // It knows only the metadata of OpenAI's models.
  known: /Model metadata for .* not found/,
  async setUp({ home, origin, model, secret, prompt }) {
    const config = `model = "${model}"
model_provider = "tollgate"
[model_providers.tollgate]
name = "Tollgate"
base_url = "${origin}/v1"
env_key = "SERVICE_API_KEY"
wire_api = "responses"
${transport}
[analytics]
enabled = false
`;
    await write(home, '.codex/config.toml', config);
    return {
      args: ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', prompt],
      env: { SERVICE_API_KEY: secret },
    };
  },
});

export const CODEX = createCodex('Codex', '');
/** With the setting of its built-in provider, which `openai_base_url` changes. */
export const CODEX_SOCKET = createCodex('Codex (WebSocket)', 'supports_websockets = true');

export const OPENCODE: CodingAgent = {
  name: 'OpenCode',
  program: ['opencode-linux-x64-baseline', 'bin/opencode'],
  dialect: 'openai-chat',
  known: NOTHING,
  async setUp({ home, origin, model, secret, prompt }) {
    const options = { baseURL: `${origin}/v1`, apiKey: '{env:SERVICE_API_KEY}' };
    const config = {
      $schema: 'https://opencode.ai/config.json',
      model: `tollgate/${model}`,
      autoupdate: false,
      share: 'disabled',
      provider: {
        tollgate: {
          npm: '@ai-sdk/openai-compatible',
          name: 'Tollgate',
          options,
          models: { [model]: {} },
        },
      },
    };
    await write(home, '.config/opencode/opencode.json', JSON.stringify(config));
    return {
      args: ['run', prompt],
      env: {
        SERVICE_API_KEY: secret,
        OPENCODE_DISABLE_AUTOUPDATE: '1',
        OPENCODE_DISABLE_MODELS_FETCH: '1',
        OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      },
    };
  },
};

export const QWEN_CODE: CodingAgent = {
  name: 'Qwen Code',
  program: ['@qwen-code/qwen-code', 'cli-entry.js'],
  dialect: 'openai-chat',
  // Its packaged program of search is not executable.
  known: /Ripgrep not available/,
  async setUp({ home, origin, model, secret, prompt }) {
    const provider = { id: model, name: 'Tollgate', baseUrl: `${origin}/v1`, envKey: 'SERVICE_API_KEY' };
    const settings = {
      security: { auth: { selectedType: 'openai' } },
      privacy: { usageStatisticsEnabled: false },
      general: { disableAutoUpdate: true, disableUpdateNag: true },
      telemetry: { enabled: false },
      model: { name: model },
      modelProviders: { openai: [provider] },
    };
    await write(home, '.qwen/settings.json', JSON.stringify(settings));
    return {
      args: ['--yolo', '-p', prompt],
      env: { SERVICE_API_KEY: secret, QWEN_CODE_SUPPRESS_YOLO_WARNING: '1' },
    };
  },
};

export const AI_SDK: CodingAgent = {
  name: 'AI SDK',
  program: ['', path.join(import.meta.dirname, 'ai-sdk-agent.mjs')],
  dialect: 'openai-responses',
  known: NOTHING,
  setUp: async ({ origin, model, secret, prompt }) => ({
    args: [prompt],
    env: { OPENAI_BASE_URL: `${origin}/v1`, OPENAI_API_KEY: secret, AGENT_MODEL: model },
  }),
};

async function write(home: string, file: string, text: string): Promise<void> {
  const target = path.join(home, file);
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, text);
}
