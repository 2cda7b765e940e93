import type { ContractTerms } from './contract.ts';
import { objectOf, plain, type EntryRules } from './member-rule.ts';
import { CHOOSING_MEMBERS, serviceTier, TERM_MEMBERS } from './shared-rules.ts';

/** Kinds are without the date of their version: `web_search_20250305` is `web_search`. */
const MESSAGES_TOOLS: EntryRules = {
  by: 'type',
  absent: 'custom',
  kinds: {
    ...plain(
      'custom function bash text_editor computer memory tool_search_tool_regex tool_search_tool_bm25 mcp_toolset',
    ),
    web_search: { fate: 'priced', tool: 'web_search', limit: 'max_uses' },
    web_fetch: { fate: 'priced', tool: 'web_fetch', limit: 'max_uses' },
    code_execution: { fate: 'priced', tool: 'code_execution' },
    advisor: { fate: 'checked' },
  },
};

/** `POST /v1/messages` and `/v1/messages/count_tokens`, whatever the provider (https://docs.claude.com/en/api/messages). */
export const MESSAGES_CONTRACT: ContractTerms = {
  members: {
    ...plain(`
      model messages system max_tokens stream stop_sequences temperature top_p top_k tool_choice metadata
      cache_control diagnostics container mcp_servers output_format anthropic_version fallback_credit_token
      user_profile_id client_metadata`),
    ...TERM_MEMBERS,
    ...CHOOSING_MEMBERS,
    thinking: objectOf('type budget_tokens display'),
    output_config: objectOf('effort format task_budget'),
    context_management: objectOf('edits'),
    service_tier: serviceTier('standard_only'),
    anthropic_beta: { fate: 'betas' },
    plugins: { fate: 'entries', entries: { by: 'id', absent: null, kinds: {} } },
    tools: { fate: 'entries', entries: MESSAGES_TOOLS },
  },
  query: { beta: /^true$/ },
  // Each of them only allows members that have rules of their own. `context-1m` is not among them: it changes the price.
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
