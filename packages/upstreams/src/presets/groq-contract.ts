import type { ProviderContract } from '@tollgate/dialects/contract/contract';
import { plain } from '@tollgate/dialects/contract/member-rule';
import { serviceTier } from '@tollgate/dialects/contract/shared-rules';

/** https://console.groq.com/docs/api-reference#chat-create */
export const GROQ_CONTRACT: ProviderContract = {
  chat: {
    members: {
      ...plain(
        'search_settings include_domains exclude_domains documents citation_options disable_tool_validation',
      ),
      service_tier: serviceTier('on_demand'),
      tools: {
        fate: 'entries',
        entries: {
          by: 'type',
          absent: 'function',
          kinds: {
            browser_search: { fate: 'priced', tool: 'web_search' },
            visit_website: { fate: 'priced', tool: 'web_fetch' },
          },
        },
      },
    },
  },
};
