import type { ProviderContract } from '@tollgate/dialects/contract/contract';
import { plain, type MemberRules } from '@tollgate/dialects/contract/member-rule';

/** Tools that xAI runs (https://docs.x.ai/docs/guides/tools/overview). */
const TOOLS: MemberRules = {
  tools: {
    fate: 'entries',
    entries: {
      by: 'type',
      absent: 'function',
      limit: 'max_tool_calls',
      kinds: {
        live_search: { fate: 'priced', tool: 'web_search' },
        x_search: { fate: 'priced', tool: 'web_search' },
        code_execution: { fate: 'priced', tool: 'code_execution' },
        collections_search: { fate: 'priced', tool: 'file_search' },
      },
    },
  },
};

export const XAI_CONTRACT: ProviderContract = {
  chat: { members: { ...plain('max_turns'), ...TOOLS } },
  responses: { members: { ...plain('max_turns use_encrypted_content'), ...TOOLS } },
};
