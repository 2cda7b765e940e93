import type { ContractTerms } from './contract.ts';
import { CALLERS_TOOL, objectRule, plain, UNCOUNTED, type EntryRules } from './member-rule.ts';
import {
  CALLERS_DATA,
  CALLERS_FORMAT,
  CHOOSING_MEMBERS,
  CONVERSATION,
  serviceTier,
  TERM_MEMBERS,
} from './shared-rules.ts';

const MAX_USES = { by: 'entry', member: 'max_uses' } as const;

/** Kinds are without the date of their version: `web_search_20250305` is `web_search`. */
const MESSAGES_TOOLS: EntryRules = {
  by: 'type',
  absent: 'custom',
  kinds: {
    custom: CALLERS_TOOL,
    function: CALLERS_TOOL,
    ...plain('bash text_editor computer memory'),
    tool_search_tool_regex: UNCOUNTED,
    tool_search_tool_bm25: UNCOUNTED,
    mcp_toolset: UNCOUNTED,
    web_search: {
      handling: 'priced',
      tool: 'web_search',
      bound: MAX_USES,
      counters: ['web_search_requests'],
    },
    web_fetch: { handling: 'priced', tool: 'web_fetch', bound: MAX_USES, counters: ['web_fetch_requests'] },
    // https://docs.claude.com/en/docs/agents-and-tools/tool-use/code-execution-tool#usage-and-pricing
    code_execution: {
      handling: 'restricted',
      because: 'it is billed by time, which responses do not report',
    },
    advisor: { handling: 'checked', bound: MAX_USES },
  },
};

/** `POST /v1/messages` and `/v1/messages/count_tokens`, whatever the provider (https://docs.claude.com/en/api/messages). */
export const MESSAGES_CONTRACT: ContractTerms = {
  members: {
    ...plain(`
      model max_tokens stream stop_sequences temperature top_p top_k tool_choice cache_control
      anthropic_version fallback_credit_token`),
    mcp_servers: UNCOUNTED,
    ...CONVERSATION,
    ...CALLERS_DATA,
    container: { handling: 'stored', kind: 'container' },
    user_profile_id: { handling: 'stored', kind: 'profile' },
    // Its `previous_message_id` only says where two prompts of the caller begin to differ.
    diagnostics: { handling: 'opaque', because: 'it only requests the reason for a cache miss' },
    output_format: { handling: 'opaque', because: "it contains the caller's schema" },
    ...TERM_MEMBERS,
    ...CHOOSING_MEMBERS,
    thinking: objectRule('type budget_tokens display'),
    output_config: objectRule('effort task_budget', CALLERS_FORMAT),
    // https://platform.claude.com/docs/en/build-with-claude/compaction
    context_management: { handling: 'object', members: { edits: { handling: 'edits' } } },
    service_tier: serviceTier('standard_only'),
    anthropic_beta: { handling: 'betas' },
    plugins: { handling: 'entries', entries: { by: 'id', absent: null, kinds: {} } },
    tools: { handling: 'entries', entries: MESSAGES_TOOLS },
  },
  query: { beta: /^true$/ },
  // Each of them only allows members with rules. `context-1m` is not among them: it changes the price.
  betas: [
    'adaptive-thinking',
    'advanced-tool-use',
    'advisor-tool',
    'bedrock',
    'ccr-byoc',
    'claude-code',
    'cli-internal',
    'code-execution',
    'compact',
    'computer-use',
    'context-management',
    'dev-full-thinking',
    'effort',
    'environments',
    'extended-cache-ttl',
    'fallback-credit',
    'fast-mode',
    'files-api',
    'fine-grained-tool-streaming',
    'interleaved-thinking',
    'max-tokens-3-5-sonnet',
    'mcp-client',
    'mcp-servers',
    // Allows messages with the role `system`, which Claude Code sends.
    'mid-conversation-system',
    'model-context-window-exceeded',
    'oauth',
    'output-128k',
    'output-300k',
    'pdfs',
    'prompt-caching',
    'prompt-caching-scope',
    'redact-thinking',
    'server-side-fallback',
    'skills',
    'structured-outputs',
    'summarize-connector-text',
    'task-budgets',
    'thinking-token-count',
    'token-counting',
    'token-efficient-tools',
    'tool-examples',
    'tool-search-tool',
    'web-fetch',
    'web-search',
  ],
};
